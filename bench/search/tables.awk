# SPDX-License-Identifier: Apache-2.0
# Markdown tables of the rows that search-bench leaves (see search_bench.c and run.sh).

function percent(part, whole) { return sprintf("%.1f %%", whole ? 100 * part / whole : 0) }

# subject, strategy, goals, covered at four quarters, executions/s, choosing
table ~ /^(strategies|summary|speed)$/ {
    if (!($1 in goals)) {
        subject[++subjects] = $1
        goals[$1] = $3
    }
    if (!($2 in known)) {
        known[$2] = 1
        strategy[++strategies] = $2
    }
    for (q = 1; q <= 4; q++)
        at[$1, $2, q] = $(3 + q)
    speed[$1, $2] = $8
    choosing[$1, $2] = $9
    single = $2 != "auto" # every column but auto
    if (single && $7 > best[$1]) {
        best[$1] = $7
        best_of[$1] = $2
    }
}

# file, strategy, criterion, with or without; goals, covered, executions, queries
table == "filter" {
    if (!(($1, $3) in seen)) {
        seen[$1, $3] = 1
        line[++lines] = $1 SUBSEP $3
    }
    for (c = 5; c <= 8; c++) {
        value[$1, $2, $3, $4, c] = $c
        value["total", $2, $3, $4, c] += $c
    }
}
table == "budget" {
    if (!($2 in known)) {
        known[$2] = 1
        strategy[++strategies] = $2
    }
    goals[$3] += $2 == "pps" ? $5 : 0
    covered[$2, $3] += $6
    executions[$2, $3] += $7
}
table == "scale" {
    size[++sizes] = $1
    seconds[sizes] = $3
}

function strategies_table(    s, k, q, row) {
    print "| subject | branches | strategy | 1/4 | 1/2 | 3/4 | all |"
    print "|---|---:|---|---:|---:|---:|---:|"
    for (s = 1; s <= subjects; s++)
        for (k = 1; k <= strategies; k++) {
            row = "| " subject[s] " | " goals[subject[s]] " | " strategy[k] " |"
            for (q = 1; q <= 4; q++)
                row = row " " at[subject[s], strategy[k], q] " |"
            print row
        }
}

function summary_table(    s, k, total, all) {
    print "| subject | auto | best other | which | auto/best |"
    print "|---|---:|---:|---|---:|"
    for (s = 1; s <= subjects; s++) {
        printf "| %s | %.1f | %.1f | %s | %s |\n", subject[s], at[subject[s], "auto", 4],
            best[subject[s]], best_of[subject[s]],
            percent(at[subject[s], "auto", 4], best[subject[s]])
        for (k = 1; k <= strategies; k++)
            total[strategy[k]] += at[subject[s], strategy[k], 4]
    }
    print "\n| strategy | all subjects | of auto's |"
    print "|---|---:|---:|"
    for (k = 1; k <= strategies; k++)
        printf "| %s | %.1f | %s |\n", strategy[k], total[strategy[k]],
            percent(total[strategy[k]], total["auto"])
}

function speed_table(    k) {
    print "| strategy | executions/s, against dfs | choosing |"
    print "|---|---:|---:|"
    for (k = 1; k <= strategies; k++)
        printf "| %s | %.2f | %.1f %% |\n", strategy[k],
            speed[subject[1], strategy[k]] / speed[subject[1], "dfs"],
            choosing[subject[1], strategy[k]]
}

function filter_row(file, strategy, criterion, label) {
    printf "| %s | %s | %d | %d/%d | %d/%d | %s | %s/%s |\n", label, criterion,
        value[file, strategy, criterion, "with", 5],
        value[file, strategy, criterion, "without", 7], value[file, strategy, criterion, "with", 7],
        value[file, strategy, criterion, "without", 8], value[file, strategy, criterion, "with", 8],
        percent(value[file, strategy, criterion, "without", 7] - value[file, strategy, criterion, "with", 7],
                value[file, strategy, criterion, "without", 7]),
        percent(value[file, strategy, criterion, "without", 6], value[file, strategy, criterion, "without", 5]),
        percent(value[file, strategy, criterion, "with", 6], value[file, strategy, criterion, "with", 5])
}

function filter_table(    i, part) {
    print "| file | criterion | goals | executions without/with | queries without/with | saved | covered |"
    print "|---|---|---:|---:|---:|---:|---:|"
    for (i = 1; i <= lines; i++) {
        split(line[i], part, SUBSEP)
        filter_row(part[1], "dfs", part[2], part[1])
    }
    filter_row("total", "dfs", "branch", "total, dfs")
    filter_row("total", "dfs", "mcdc", "total, dfs")
    filter_row("total", "auto", "branch", "total, auto")
    filter_row("total", "auto", "mcdc", "total, auto")
}

function budget_table(    k, c) {
    print "| strategy | branches covered | executions | branches and pairs covered | executions |"
    print "|---|---:|---:|---:|---:|"
    for (k = 1; k <= strategies; k++)
        printf "| %s | %.1f of %d | %d | %.1f of %d | %d |\n", strategy[k], covered[strategy[k], "branch"],
            goals["branch"], executions[strategy[k], "branch"], covered[strategy[k], "mcdc"], goals["mcdc"],
            executions[strategy[k], "mcdc"]
}

function scale_table(    i) {
    print "| branches on a path | nodes of the tree, up to | time, against the row above |"
    print "|---:|---:|---:|"
    for (i = 1; i <= sizes; i++)
        printf "| %d | %d | %s |\n", 12500 * 2 ^ i, 40 * 12500 * 2 ^ i,
            (i > 1 ? sprintf("%.2f", seconds[i] / seconds[i - 1]) : "")
}

END {
    if (table == "strategies") strategies_table()
    if (table == "summary") summary_table()
    if (table == "speed") speed_table()
    if (table == "filter") filter_table()
    if (table == "budget") budget_table()
    if (table == "scale") scale_table()
}

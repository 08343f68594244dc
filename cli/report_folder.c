// SPDX-License-Identifier: Apache-2.0
// Loads the store and has the pages written.
#include "report_folder.h"

#include "base/buf.h"
#include "html/html_report.h"
#include "store/store.h"

bool report_folder_write(const char *directory, const char *out, struct error *err)
{
    struct result result;
    struct buf store = BUF_INIT, place = BUF_INIT;
    buf_printf(&store, "%s/cadenza.db", directory);
    if (out)
        buf_puts(&place, out);
    else
        buf_printf(&place, "%s/report", directory);
    bool good = store_load(store.data, &result, err) && html_report_write(&result, place.data, err);
    result_release(&result);
    buf_release(&store);
    buf_release(&place);
    return good;
}

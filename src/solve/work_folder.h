/* SPDX-License-Identifier: MIT
 *
 * The folder FILE.work, where a solve keeps what it has found so far. Only one solve at a time may use it. */
#ifndef KZ_SOLVE_WORK_FOLDER_H
#define KZ_SOLVE_WORK_FOLDER_H

#include <kanzen/error.h>

/* Makes the folder if it is missing, and locks it. KZ_ERR_IO if another process has it. */
kz_status kz_work_folder_lock(const char *folder, int *lock, kz_error *error);
/* -1 does nothing. */
void kz_work_folder_unlock(int lock);
/* After the last file in it is gone: removes the lock and the folder. */
void kz_work_folder_remove(const char *folder);

#endif

/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *kz_status_name(kz_status status) {
    switch (status) {
    case KZ_OK:
        return "ok";
    case KZ_ERR_INPUT:
        return "input";
    case KZ_ERR_UNSUPPORTED:
        return "unsupported";
    case KZ_ERR_IO:
        return "io";
    case KZ_ERR_CORRUPT:
        return "corrupt";
    case KZ_ERR_MEMORY:
        return "memory";
    case KZ_ERR_CANCELLED:
        return "cancelled";
    case KZ_ERR_MISMATCH:
        return "mismatch";
    }
    return "unknown";
}

const char *kz_version(void) { return KANZEN_VERSION; }

/* Macros for the analyzer: */
#undef kz_fail
#undef kz_fail_errno

/* Formatted apart and copied at the end, because an argument may well be the message that it replaces. */
static void fill(kz_error *error, kz_status status, const char *reason, const char *format, va_list arguments) {
    char message[KZ_ERROR_MESSAGE_BYTES];
    size_t reason_length = strlen(reason);
    size_t room = sizeof message - reason_length; /* of a long message and a reason, the reason must survive */
    int length = vsnprintf(message, room, format, arguments);
    size_t used = length < 0 ? 0 : (size_t)length < room ? (size_t)length : room - 1;
    memcpy(message + used, reason, reason_length + 1);
    error->status = status;
    memcpy(error->message, message, used + reason_length + 1);
}

kz_status kz_fail(kz_error *error, kz_status status, const char *format, ...) {
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        fill(error, status, "", format, arguments);
        va_end(arguments);
    }
    return status;
}

#ifndef KANZEN_READ_ONLY /* there, no system refuses anything */
/* There are two functions of this name: GNU's returns the text, POSIX's fills the buffer. The type decides. */
__attribute__((unused)) static const char *text_of_gnu(const char *text, const char *buffer) {
    (void)buffer;
    return text;
}

__attribute__((unused)) static const char *text_of_posix(int code, const char *buffer) {
    return code == 0 ? buffer : "unknown error";
}

#define TEXT_OF_ERRNO(code, buffer)                                                                                    \
    _Generic(strerror_r((code), (buffer), sizeof(buffer)), char *: text_of_gnu, int: text_of_posix)(                   \
        strerror_r((code), (buffer), sizeof(buffer)), (buffer))

kz_status kz_fail_errno(kz_error *error, kz_status status, int code, const char *format, ...) {
    if (error != NULL) {
        char buffer[96];
        char reason[128];
        snprintf(reason, sizeof reason, ": %s", TEXT_OF_ERRNO(code, buffer));
        va_list arguments;
        va_start(arguments, format);
        fill(error, status, reason, format, arguments);
        va_end(arguments);
    }
    return status;
}
#endif

kz_status kz_fail_first(kz_error *error, const kz_error *errors, int count) {
    for (int i = 0; i < count; i++) {
        if (errors[i].status != KZ_OK) {
            return kz_fail(error, errors[i].status, "%s", errors[i].message);
        }
    }
    return KZ_OK;
}

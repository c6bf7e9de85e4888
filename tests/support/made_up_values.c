/* SPDX-License-Identifier: MIT */
#include "tests/support/made_up_values.h"

kz_status __wrap_kz_dobutsu_state_values_write(const kz_table *table, const kz_export_options *options,
                                               const kz_dobutsu_state_values *target, uint64_t *written,
                                               kz_error *error);

kz_status __wrap_kz_dobutsu_state_values_write(const kz_table *table, const kz_export_options *options,
                                               const kz_dobutsu_state_values *target, uint64_t *written,
                                               kz_error *error) {
    enum { PIECE = 500 };
    uint64_t rows[PIECE];
    kz_status status = KZ_OK;
    (void)table;
    (void)options;
    *written = 0;
    for (uint64_t i = 0; i < MADE_UP_ROWS && status == KZ_OK; i += PIECE) {
        for (uint64_t k = 0; k < PIECE; k++) {
            rows[k] = (i + k) * 12345678 << 8 | k % 170;
        }
        status = target->take(target->context, rows, PIECE, error);
        *written += PIECE;
    }
    return status;
}

unsigned __wrap_kz_packet_source_size(const kz_packet_source *source, uint64_t packet);

unsigned __wrap_kz_packet_source_size(const kz_packet_source *source, uint64_t packet) {
    (void)source;
    (void)packet;
    return MADE_UP_PACKET_BYTES;
}

kz_status __wrap_kz_packet_source_fill(kz_packet_source *source, uint64_t first, uint64_t count, uint64_t done,
                                       uint64_t total, uint8_t *bytes, kz_error *error);

kz_status __wrap_kz_packet_source_fill(kz_packet_source *source, uint64_t first, uint64_t count, uint64_t done,
                                       uint64_t total, uint8_t *bytes, kz_error *error) {
    (void)source;
    (void)done;
    (void)total;
    (void)error;
    for (uint64_t i = 0; i < count; i++) {
        memset(bytes + i * MADE_UP_PACKET_BYTES, (int)(first + i), MADE_UP_PACKET_BYTES);
    }
    return KZ_OK;
}

kz_status write_made_up_packets(const char *path, uint64_t first, uint64_t count, bool tar, kz_error *error) {
    static uint8_t maximums[1000];
    kz_error reason = {.status = KZ_ERR_MEMORY};
    kz_pool *pool = kz_pool_new(1, &reason);
    if (!pool) {
        *error = reason;
        return reason.status;
    }
    kz_packet_source source = {.pool = pool, .maximums = maximums, .maximums_size = sizeof maximums};
    kz_dobutsu_packets_options options = {.first = first, .count = count, .tar = tar};
    kz_status status = kz_packet_write_with(&source, path, &options, NULL, error);
    kz_pool_free(pool);
    return status;
}

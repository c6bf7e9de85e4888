/* SPDX-License-Identifier: MIT
 *
 * Bytes as a file of records: a byte for what they are, one for what they are converted to, one for options, then the
 * file. It is checked, counted and converted, by one thread and by two: with the same result. */
#include "tests/fuzz/files.h"

#include <kanzen/shogi_files.h>

int LLVMFuzzerInitialize(int *count, char ***arguments);

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    fuzz_enter_folder();
    return 0;
}

static kz_shogi_record written_record(unsigned byte) {
    kz_shogi_record record = (kz_shogi_record)(byte % KZ_SHOGI_RECORDS);
    return kz_shogi_record_at(record)->written ? record : KZ_SHOGI_RECORD_PLAIN;
}

static const char *broken_by_report(kz_status status, const kz_shogi_file_report *report) {
    uint64_t defects = 0;
    for (unsigned i = 0; i < KZ_SHOGI_DEFECTS; i++) {
        defects += report->defects[i];
    }
    LAW(defects == report->bad);
    LAW(report->bad <= report->read);
    LAW(report->offender_count <= KZ_SHOGI_OFFENDERS);
    LAW(report->written <= report->read);
    LAW(status == KZ_OK || report->bad + report->trailing > 0 || report->written == 0);
    return NULL;
}

/* Fixed records that were written are all well-formed, and as many as the report says. */
static const char *broken_by_target(kz_shogi_record record, const kz_shogi_file_report *report) {
    const kz_shogi_source source = {.path = "target", .record = record, .dialect = KZ_SHOGI_DIALECTS};
    const kz_shogi_file_options options = {.threads = 1, .skip_bad = true};
    kz_shogi_file_report again;
    LAW(kz_shogi_check_file(&source, &options, NULL, &again, NULL) == KZ_OK);
    LAW(again.bad == 0 && again.trailing == 0);
    LAW(again.read == report->written);
    return NULL;
}

static const char *broken_by_conversion(const kz_shogi_source *source, kz_shogi_record to,
                                        const kz_shogi_file_options *options) {
    const kz_shogi_target target = {.path = "target", .record = to, .dialect = KZ_SHOGI_DIALECTS, .replace = true};
    kz_shogi_file_options two = *options;
    kz_shogi_file_report report, other;
    kz_error error = {KZ_OK, ""};
    two.threads = 2;
    unlink("target");
    kz_status status = kz_shogi_convert(source, &target, options, NULL, &report, &error);
    fuzz_keep_failure(status, &error);
    LAW(status == KZ_OK || status == KZ_ERR_CORRUPT || status == KZ_ERR_INPUT || status == KZ_ERR_UNSUPPORTED);
    fuzz_keep(broken_by_report(status, &report));
    if (status == KZ_OK) {
        size_t size, again;
        uint8_t *bytes = fuzz_read_file("target", &size);
        fuzz_keep(broken_by_target(to, &report));
        LAW(kz_shogi_convert(source, &target, &two, NULL, &other, NULL) == KZ_OK);
        uint8_t *others = fuzz_read_file("target", &again);
        LAW(again == size && memcmp(bytes, others, size) == 0);
        /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): both begin as zeros */
        LAW(memcmp(&report, &other, sizeof report) == 0);
        free(bytes);
        free(others);
    }
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    kz_shogi_record from = (kz_shogi_record)(fuzz_byte(&data, &size) % KZ_SHOGI_RECORDS);
    kz_shogi_record to = written_record(fuzz_byte(&data, &size));
    unsigned bits = fuzz_byte(&data, &size);
    const kz_shogi_source source = {.path = "source",
                                    .record = from,
                                    .dialect = (kz_shogi_dialect)(bits % (KZ_SHOGI_DIALECTS + 1)),
                                    .first = bits >> 3 & 1,
                                    .count = bits >> 3 & 2};
    const kz_shogi_file_options options = {
        .threads = 1, .skip_bad = bits >> 5 & 1, .without_box = bits >> 6 & 1, .legal = bits >> 7 & 1};
    kz_shogi_file_report report;
    static kz_shogi_file_stats stats;
    kz_error error = {KZ_OK, ""};
    fuzz_write_file("source", data, size);
    kz_status status = kz_shogi_check_file(&source, &options, NULL, &report, &error);
    fuzz_keep_failure(status, &error);
    fuzz_keep(broken_by_report(status, &report));
    status = kz_shogi_file_statistics(&source, &options, NULL, &stats, &error);
    fuzz_keep_failure(status, &error);
    fuzz_keep(broken_by_conversion(&source, to, &options));
    return 0;
}

/* SPDX-License-Identifier: MIT */
#include "base/encoding.h"

#include <string.h>

/* ---- UTF-8 ----------------------------------------------------------------------------------------------------- */

size_t kz_utf8_length(const char *text, size_t room) {
    static const struct {
        unsigned char first_least, first_most, second_least, second_most;
        size_t length;
    } forms[] = {
        /* all further bytes are 80..BF */
        {0x00, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    const unsigned char *bytes = (const unsigned char *)text;
    for (size_t form = 0; form < sizeof forms / sizeof forms[0]; form++) {
        if (bytes[0] < forms[form].first_least || bytes[0] > forms[form].first_most) {
            continue;
        }
        size_t length = forms[form].length;
        if (length > room) {
            return 0;
        }
        if (length > 1 && (bytes[1] < forms[form].second_least || bytes[1] > forms[form].second_most)) {
            return 0;
        }
        for (size_t i = 2; i < length; i++) {
            if (bytes[i] < 0x80 || bytes[i] > 0xbf) {
                return 0;
            }
        }
        return length;
    }
    return 0;
}

size_t kz_utf8_write(uint32_t code_point, char *text) {
    if (code_point < 0x80) {
        text[0] = (char)code_point;
        return 1;
    }
    size_t length = code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
    static const unsigned lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; i-- > 1; code_point >>= 6) {
        text[i] = (char)(0x80 | (code_point & 0x3f));
    }
    text[0] = (char)(lead[length] | code_point);
    return length;
}

/* ---- Shift_JIS ------------------------------------------------------------------------------------------------- */

/* Kana, digits and letters are in ranges: code `first` + i is the character `unicode` + i. */
static const struct {
    uint16_t first, last;
    uint16_t unicode;
} ranges[] = {
    {0x824F, 0x8258, 0xFF10},                           /* digits */
    {0x8260, 0x8279, 0xFF21},                           /* letters */
    {0x8281, 0x829A, 0xFF41}, {0x829F, 0x82F1, 0x3041}, /* hiragana */
    {0x8340, 0x837E, 0x30A1},                           /* katakana, around the code 0x837F, which is none */
    {0x8380, 0x8396, 0x30E0},
};

/* In order of their codes. */
static const struct {
    uint16_t code;
    char utf8[4];
} characters[] = {
    {0x8140, "　"}, {0x8145, "・"}, {0x8146, "："}, {0x815B, "ー"}, {0x8181, "＝"}, {0x81A2, "△"},  {0x81A3, "▲"},
    {0x81A4, "▽"},  {0x81A5, "▼"},  {0x88C7, "杏"}, {0x88EA, "一"}, {0x88F8, "引"}, {0x8945, "右"}, {0x89A4, "王"},
    {0x89BA, "下"}, {0x89BB, "化"}, {0x89BF, "価"}, {0x8A4A, "開"}, {0x8A70, "角"}, {0x8A84, "割"}, {0x8AD4, "間"},
    {0x8AF1, "寄"}, {0x8AFB, "棋"}, {0x8B6C, "詰"}, {0x8BC7, "局"}, {0x8BCA, "玉"}, {0x8BE0, "金"}, {0x8BE2, "銀"},
    {0x8BE3, "九"}, {0x8BEE, "駒"}, {0x8C5C, "圭"}, {0x8C6A, "桂"}, {0x8C7B, "鶏"}, {0x8CBE, "言"}, {0x8CDC, "五"},
    {0x8CE3, "後"}, {0x8D73, "行"}, {0x8D81, "香"}, {0x8D87, "合"}, {0x8DB6, "左"}, {0x8DC5, "最"}, {0x8E4F, "三"},
    {0x8E6C, "四"}, {0x8E6E, "始"}, {0x8E77, "指"}, {0x8E82, "獅"}, {0x8E9D, "持"}, {0x8E9E, "時"}, {0x8EB5, "七"},
    {0x8ED4, "車"}, {0x8EE8, "手"}, {0x8F49, "終"}, {0x8F5C, "十"}, {0x8F8A, "所"}, {0x8F9F, "勝"}, {0x8FAB, "将"},
    {0x8FC1, "消"}, {0x8FDB, "象"}, {0x8FE3, "上"}, {0x8FEA, "場"}, {0x9094, "数"}, {0x9097, "雛"}, {0x90AC, "成"},
    {0x90B6, "生"}, {0x90D8, "切"}, {0x90E6, "先"}, {0x90E7, "千"}, {0x90E9, "宣"}, {0x90ED, "戦"}, {0x9153, "全"},
    {0x91A5, "則"}, {0x91BC, "他"}, {0x91C5, "打"}, {0x91D2, "待"}, {0x91E5, "大"}, {0x9266, "断"}, {0x926C, "値"},
    {0x9286, "中"}, {0x92BC, "直"}, {0x938A, "投"}, {0x93AE, "動"}, {0x93AF, "同"}, {0x93F1, "二"}, {0x93FA, "日"},
    {0x93FC, "入"}, {0x946E, "馬"}, {0x94AA, "八"}, {0x94BD, "反"}, {0x94D4, "番"}, {0x94EF, "費"}, {0x94F2, "飛"},
    {0x955D, "評"}, {0x9573, "不"}, {0x9589, "負"}, {0x9595, "封"}, {0x95A8, "物"}, {0x95AA, "分"}, {0x95BD, "平"},
    {0x95CF, "変"}, {0x95E0, "歩"}, {0x9687, "枚"}, {0x96CA, "面"}, {0x978E, "落"}, {0x97B3, "竜"}, {0x97B4, "龍"},
    {0x97B9, "了"}, {0x985A, "六"}, {0xEA69, "麒"}};
enum { CHARACTERS = sizeof characters / sizeof *characters };

/* How many bytes of a character follow its first in UTF-8, -1 if it is no first byte. */
static int following(unsigned char first) {
    return first < 0x80 ? 0 : first < 0xC2 ? -1 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : first < 0xF5 ? 3 : -1;
}

size_t kz_utf8_prefix(const char *text, size_t length) {
    size_t whole = 0; /* up to the end of the last character */
    for (size_t i = 0; i < length; whole = i) {
        int more = following((unsigned char)text[i++]);
        if (more < 0 || (size_t)more > length - i) {
            return whole;
        }
        for (; more > 0; more--) {
            if (((unsigned char)text[i++] & 0xC0) != 0x80) {
                return whole;
            }
        }
    }
    return whole;
}

bool kz_is_utf8(const char *text, size_t length) { return kz_utf8_prefix(text, length) == length; }

bool kz_is_utf16(const char *text, size_t length) {
    return length >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0);
}

/* A character of the ranges above; all of them take three bytes. */
static const char *find_in_ranges(unsigned code, char utf8[4]) {
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (code >= ranges[i].first && code <= ranges[i].last) {
            unsigned unicode = ranges[i].unicode + (code - ranges[i].first);
            utf8[0] = (char)(0xE0 | unicode >> 12);
            utf8[1] = (char)(0x80 | (unicode >> 6 & 0x3F));
            utf8[2] = (char)(0x80 | (unicode & 0x3F));
            utf8[3] = '\0';
            return utf8;
        }
    }
    return NULL;
}

static const char *find(unsigned code) {
    size_t from = 0;
    size_t to = CHARACTERS;
    while (from < to) {
        size_t middle = (from + to) / 2;
        if (characters[middle].code == code) {
            return characters[middle].utf8;
        }
        if (characters[middle].code < code) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return "?";
}

static bool begins_pair(unsigned char byte) { return (byte >= 0x81 && byte <= 0x9F) || (byte >= 0xE0 && byte <= 0xFC); }

size_t kz_sjis_to_utf8(const char *text, size_t length, char *utf8, size_t room) {
    size_t written = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        char single[2] = {(char)byte, '\0'};
        char ranged[4];
        const char *character = byte < 0x80 ? single : "?";
        if (begins_pair(byte) && i + 1 < length) {
            unsigned code = (unsigned)byte << 8 | (unsigned char)text[++i];
            const char *found = find_in_ranges(code, ranged);
            character = found ? found : find(code);
        }
        size_t bytes = byte == 0 ? 1 : strlen(character);
        if (bytes > room - written) {
            break;
        }
        memcpy(utf8 + written, character, bytes);
        written += bytes;
    }
    return written;
}

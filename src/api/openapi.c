/* SPDX-License-Identifier: MIT
 *
 * The description of all requests in the form of OpenAPI 3.1. The tests hold every kind of answer against it. */
#include <kanzen/api.h>

/* It is one long string, and all compilers that this is made for take it. */
#pragma GCC diagnostic ignored "-Woverlength-strings"

/* Turns what is written in the brackets, which is JSON, into a string. */
#define TEXT_OF(...) #__VA_ARGS__

/* clang-format off */
static const char description[] = TEXT_OF({
"openapi": "3.1.0",
"info": {
    "title": "Kanzen",
    "version": "1",
    "license": {"name": "MIT", "identifier": "MIT"},
    "description": "Exact values of positions of solved games, from tables and by search."
},
"paths": {
    "/healthz": {"get": {"summary": "Whether the server runs", "responses": {
        "200": {"description": "It does.", "content": {"application/json": {"schema": {
            "$ref": "#/components/schemas/Health"}}}}}}},
    "/api/v1/openapi.json": {"get": {"summary": "This document", "responses": {
        "200": {"description": "OpenAPI 3.1.", "content": {"application/json": {"schema": {"type": "object"}}}}}}},
    "/api/v1/games": {"get": {"summary": "The games, their rules, notations and levels of play", "responses": {
        "200": {"description": "All games.", "content": {"application/json": {"schema": {
            "$ref": "#/components/schemas/Games"}}}}}}},
    "/api/v1/{game}/position": {
        "parameters": [{"$ref": "#/components/parameters/game"}],
        "get": {"summary": "A position, its value, and its moves with theirs, best first",
            "parameters": [
                {"$ref": "#/components/parameters/pos"},
                {"$ref": "#/components/parameters/rules"},
                {"name": "moves", "in": "query", "description": "How many moves to list; by default all.",
                 "schema": {"type": "integer", "minimum": 0, "maximum": 24576}}],
            "responses": {
                "200": {"description": "The position.", "content": {"application/json": {"schema": {
                    "$ref": "#/components/schemas/Position"}}}},
                "default": {"$ref": "#/components/responses/Error"}}}},
    "/api/v1/{game}/moves": {
        "parameters": [{"$ref": "#/components/parameters/game"}],
        "get": {"summary": "The legal moves with their values, best first",
            "parameters": [{"$ref": "#/components/parameters/pos"}, {"$ref": "#/components/parameters/rules"}],
            "responses": {
                "200": {"description": "The moves.", "content": {"application/json": {"schema": {
                    "$ref": "#/components/schemas/Moves"}}}},
                "default": {"$ref": "#/components/responses/Error"}}}},
    "/api/v1/{game}/legal": {
        "parameters": [{"$ref": "#/components/parameters/game"}],
        "get": {"summary": "The legal moves without values, in the order of the rules; needs no table",
            "parameters": [{"$ref": "#/components/parameters/pos"}, {"$ref": "#/components/parameters/rules"}],
            "responses": {
                "200": {"description": "The moves.", "content": {"application/json": {"schema": {
                    "$ref": "#/components/schemas/Legal"}}}},
                "default": {"$ref": "#/components/responses/Error"}}}},
    "/api/v1/{game}/line": {
        "parameters": [{"$ref": "#/components/parameters/game"}],
        "get": {"summary": "How the game goes on when both sides play perfectly",
            "parameters": [
                {"$ref": "#/components/parameters/pos"},
                {"$ref": "#/components/parameters/rules"},
                {"name": "limit", "in": "query", "description": "How many plies at most.",
                 "schema": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 1000}}],
            "responses": {
                "200": {"description": "The line.", "content": {"application/json": {"schema": {
                    "$ref": "#/components/schemas/Line"}}}},
                "default": {"$ref": "#/components/responses/Error"}}}},
    "/api/v1/{game}/play": {
        "parameters": [{"$ref": "#/components/parameters/game"}],
        "get": {"summary": "The move that a player of some strength makes",
            "parameters": [
                {"$ref": "#/components/parameters/pos"},
                {"$ref": "#/components/parameters/rules"},
                {"name": "level", "in": "query", "schema": {"type": "string", "default": "perfect",
                 "enum": ["beginner", "easy", "medium", "hard", "expert", "perfect"]}},
                {"name": "aggressive", "in": "query",
                 "description": "1: of equally good moves the one that leaves the fewest good replies.",
                 "schema": {"type": "integer", "minimum": 0, "maximum": 1, "default": 0}},
                {"name": "seed", "in": "query",
                 "description": "The same seed in the same position gives the same move. Up to 18446744073709551615.",
                 "schema": {"type": "integer", "minimum": 0, "default": 0}}],
            "responses": {
                "200": {"description": "The move.", "content": {"application/json": {"schema": {
                    "$ref": "#/components/schemas/Play"}}}},
                "default": {"$ref": "#/components/responses/Error"}}}},
    "/api/v1/{game}/positions": {
        "parameters": [{"$ref": "#/components/parameters/game"}],
        "post": {"summary": "Up to 1,000 positions at once, without their moves",
            "requestBody": {"required": true, "content": {"application/json": {"schema": {
                "type": "object", "required": ["positions"], "properties": {
                    "positions": {"type": "array", "maxItems": 1000, "items": {"type": "string"}},
                    "rules": {"type": "string"}}}}}},
            "responses": {
                "200": {"description": "An answer for each position, in their order.",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Positions"}}}},
                "default": {"$ref": "#/components/responses/Error"}}}},
    "/api/v1/{game}/table": {
        "parameters": [{"$ref": "#/components/parameters/game"}],
        "get": {"summary": "The table that values come from, and how many positions have which value",
            "parameters": [{"$ref": "#/components/parameters/rules"}],
            "responses": {
                "200": {"description": "The table.", "content": {"application/json": {"schema": {
                    "$ref": "#/components/schemas/Table"}}}},
                "default": {"$ref": "#/components/responses/Error"}}}}
},
"components": {
    "parameters": {
        "game": {"name": "game", "in": "path", "required": true, "schema": {"type": "string"}},
        "pos": {"name": "pos", "in": "query", "schema": {"type": "string"},
            "description": "A position in any notation of the game, or startpos; by default where the game begins."},
        "rules": {"name": "rules", "in": "query", "schema": {"type": "string"},
            "description": "The rules (for Push Fight: the board); by default the first ones of the game."}
    },
    "responses": {
        "Error": {"description": "What is wrong, and where.", "content": {"application/json": {"schema": {
            "$ref": "#/components/schemas/Error"}}}}
    },
    "schemas": {
        "Value": {"type": "string", "enum": ["win", "loss", "draw", "unknown"],
            "description": "For the side to move; of a move, for the side that makes it."},
        "Distance": {"type": ["integer", "null"], "minimum": 0,
            "description": "To the end, as people count it in this game (unit); null for draw and unknown."},
        "Plies": {"type": ["integer", "null"], "minimum": 0,
            "description": "To the end, in turns of either side; null for draw and unknown."},
        "Error": {"type": "object", "additionalProperties": false, "required": ["error"], "properties": {
            "error": {"type": "object", "additionalProperties": false, "required": ["status", "code", "params", "message"],
                "properties": {
                    "status": {"type": "integer", "description": "The status of HTTP."},
                    "code": {"type": "string", "description": "What is wrong, for programs; docs/api.md lists all codes."},
                    "params": {"type": "object", "description": "What the code is about; which members there are depends on it."},
                    "message": {"type": "string", "description": "What is wrong, in English."}}}}},
        "Health": {"type": "object", "additionalProperties": false, "required": ["status", "version"], "properties": {
            "status": {"type": "string", "enum": ["ok"]},
            "version": {"type": "string"}}},
        "Games": {"type": "object", "additionalProperties": false, "required": ["games"], "properties": {
            "games": {"type": "array", "items": {"type": "object", "additionalProperties": false,
                "required": ["name", "title", "unit", "proves", "notations", "levels", "rules"], "properties": {
                    "name": {"type": "string"},
                    "title": {"type": "string"},
                    "unit": {"type": "string", "enum": ["plies", "turns"]},
                    "proves": {"type": "boolean", "description": "Whether there is a search for when there is no table."},
                    "notations": {"type": "array", "items": {"type": "string"}},
                    "levels": {"type": "array", "items": {"type": "string"}},
                    "rules": {"type": "array", "items": {"type": "object", "additionalProperties": false,
                        "required": ["name", "start", "diagram", "table"], "properties": {
                            "name": {"type": "string"},
                            "start": {"type": "string"},
                            "diagram": {"type": "string"},
                            "table": {"type": "boolean"}}}}}}}}},
        "LegalMove": {"type": "object", "additionalProperties": false, "required": ["move", "position"],
            "properties": {"move": {"type": "string"}, "position": {"type": "string"}}},
        "Move": {"type": "object", "additionalProperties": false,
            "required": ["move", "position", "value", "distance", "plies"], "properties": {
                "move": {"type": "string"},
                "position": {"type": "string", "description": "After the move."},
                "value": {"$ref": "#/components/schemas/Value"},
                "distance": {"$ref": "#/components/schemas/Distance"},
                "plies": {"$ref": "#/components/schemas/Plies"}}},
        "Position": {"type": "object", "additionalProperties": false,
            "required": ["game", "rules", "position", "side", "value", "distance", "plies", "unit", "source", "over",
                "count", "notations"],
            "properties": {
                "game": {"type": "string"},
                "rules": {"type": "string"},
                "position": {"type": "string"},
                "side": {"type": "string"},
                "value": {"$ref": "#/components/schemas/Value"},
                "distance": {"$ref": "#/components/schemas/Distance"},
                "plies": {"$ref": "#/components/schemas/Plies"},
                "unit": {"type": "string", "enum": ["plies", "turns"]},
                "source": {"type": "string", "enum": ["rules", "table", "search", "none"]},
                "over": {"type": "boolean"},
                "count": {"type": "integer", "minimum": 0, "description": "Of all legal moves."},
                "moves": {"type": "array", "items": {"$ref": "#/components/schemas/Move"}},
                "notations": {"type": "object", "additionalProperties": {"type": ["string", "null"]}}}},
        "Moves": {"type": "object", "additionalProperties": false,
            "required": ["game", "rules", "position", "count", "moves"], "properties": {
                "game": {"type": "string"},
                "rules": {"type": "string"},
                "position": {"type": "string"},
                "count": {"type": "integer", "minimum": 0},
                "moves": {"type": "array", "items": {"$ref": "#/components/schemas/Move"}}}},
        "Legal": {"type": "object", "additionalProperties": false,
            "required": ["game", "rules", "position", "count", "moves"], "properties": {
                "game": {"type": "string"},
                "rules": {"type": "string"},
                "position": {"type": "string"},
                "count": {"type": "integer", "minimum": 0},
                "moves": {"type": "array", "items": {"$ref": "#/components/schemas/LegalMove"}}}},
        "Line": {"type": "object", "additionalProperties": false,
            "required": ["game", "rules", "position", "value", "distance", "plies", "line", "ending", "complete"],
            "properties": {
                "game": {"type": "string"},
                "rules": {"type": "string"},
                "position": {"type": "string"},
                "value": {"$ref": "#/components/schemas/Value"},
                "distance": {"$ref": "#/components/schemas/Distance"},
                "plies": {"$ref": "#/components/schemas/Plies"},
                "line": {"type": "array", "items": {"$ref": "#/components/schemas/Move"}},
                "ending": {"type": "string", "enum": ["over", "repetition", "limit", "unknown"]},
                "complete": {"type": "boolean"}}},
        "Play": {"type": "object", "additionalProperties": false,
            "required": ["game", "rules", "move", "position"], "properties": {
                "game": {"type": "string"},
                "rules": {"type": "string"},
                "move": {"type": ["string", "null"], "description": "null if the game is over."},
                "position": {"type": "string", "description": "After the move."}}},
        "Positions": {"type": "object", "additionalProperties": false, "required": ["answers"], "properties": {
            "answers": {"type": "array", "items": {"oneOf": [
                {"$ref": "#/components/schemas/Position"}, {"$ref": "#/components/schemas/Error"}]}}}},
        "Table": {"type": "object", "additionalProperties": false,
            "required": ["game", "rules", "positions", "bytes", "digest", "counts"], "properties": {
                "game": {"type": "string"},
                "rules": {"type": "string"},
                "positions": {"type": "integer", "minimum": 0},
                "bytes": {"type": "integer", "minimum": 0},
                "digest": {"type": "string", "description": "SHA-256, in hexadecimal."},
                "counts": {"type": "array", "items": {"type": "object", "additionalProperties": false,
                    "required": ["value", "distance", "plies", "count"], "properties": {
                        "value": {"$ref": "#/components/schemas/Value"},
                        "distance": {"$ref": "#/components/schemas/Distance"},
                        "plies": {"$ref": "#/components/schemas/Plies"},
                        "count": {"type": "integer", "minimum": 0}}}}}}
    }
}
});
/* clang-format on */

const char *kz_api_description(void) { return description; }

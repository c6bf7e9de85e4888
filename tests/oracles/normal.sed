# What tools/oracles takes out of outputs: times, rates, memory, the processor, ports. Each rule is as narrow as it can be.
/: ([0-9]+%|[0-9]+|done) after [0-9.]+ (s|min|h)/d
s/127\.0\.0\.1:[0-9]+/SERVER/g
s/^(solving|writing|total|time|peak memory) +[0-9.:]+( s| min| h| MiB)?( \(reading .*\))?/\1 #\3/
s/\(reading [0-9.]+, writing [0-9.]+(, hashing [0-9.]+)?\)/(#)/
s/^( +-?[0-9]+ +(wins|losses) .*[0-9]) +[0-9]+\.[0-9]+( \(before\))?$/\1 #\3/
s/^ +[0-9.]+  seconds$/# seconds/
s/^(stopped as asked after )[0-9.]+ s;/\1#;/
s|(\.cache/kanzen/tables/)[0-9a-f]+|\1#|
s/"([a-z_]*seconds(_[a-z]+)?|peak_memory_bytes|disk_free_bytes|exchanged_bytes|(un)?pack(_hot)?)":[0-9.e+-]+/"\1":#/g
s/\([0-9.]+ GB are free\)/(# free)/
s/"processor":"[a-z0-9]+","path":"[a-z0-9]+","processors":[0-9]+/"processor":#/
s/^(  code for processors like this one ).*/\1#/
s/^([a-z].* [0-9]+) +[0-9.]+ (ns|us|ms|s)$/\1 #/
/^(sspfx?|sspfc|psfen|hcp) +(plain|sse42|avx2|bmi2|vbmi2|neon)|^copying bytes/s/ +[0-9]+\.[0-9]+x?/ #/g
s/\.tmp-[0-9]+-[0-9]+/.tmp-#/g

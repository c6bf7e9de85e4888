# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Two network namespaces, a cable between them, and mpirun as if they were two machines: sourced by tests. What runs in
# one of them has no way to the other but the cable. The test is skipped where this is not possible (it takes root).
namespace_a=kanzen-a-$$ namespace_b=kanzen-b-$$

remove_hosts() {
    ip netns del "$namespace_a" 2>/dev/null
    ip netns del "$namespace_b" 2>/dev/null
    return 0
}

make_hosts() {
    command -v ip >/dev/null && command -v unshare >/dev/null && unshare --net --uts true 2>/dev/null || return 1
    trap remove_hosts EXIT
    {
        ip netns add "$namespace_a" && ip netns add "$namespace_b" &&
            ip link add name cable netns "$namespace_a" type veth peer name cable netns "$namespace_b" &&
            ip -n "$namespace_a" addr add 10.77.0.1/24 dev cable &&
            ip -n "$namespace_b" addr add 10.77.0.2/24 dev cable &&
            ip -n "$namespace_a" link set lo up && ip -n "$namespace_a" link set cable up &&
            ip -n "$namespace_b" link set lo up && ip -n "$namespace_b" link set cable up
    } 2>hosts-err || return 1
    # In place of ssh: mpirun calls it with a host and a command.
    cat >agent <<AGENT
#!/bin/sh
shift
exec ip netns exec $namespace_b unshare --uts sh -c "hostname kanzen-b; \$*"
AGENT
    chmod +x agent
}

# on_hosts N COMMAND...: N members on each of the two.
on_hosts() {
    local members=$1
    shift
    ip netns exec "$namespace_a" unshare --uts sh -c 'hostname kanzen-a; exec "$@"' sh \
        mpirun -n $((2 * members)) --host "10.77.0.1:$members,10.77.0.2:$members" --bind-to none \
        --mca plm_rsh_agent "$PWD/agent" --mca btl tcp,self --mca pml ob1 "$@"
}

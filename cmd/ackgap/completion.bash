
# The words up to the cursor, as bash-completion cuts them for the script above: at spaces,
# not at = and :. So nothing else need be installed.
__ackgap_init_completion() {
    local line=${COMP_LINE:0:COMP_POINT}
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    cword=$((${#words[@]} - 1)) cur=${words[-1]} prev=${words[-2]:-}
    COMPREPLY=()
}

# bash puts an answer behind the last = or : of the word, and so that is what it gets.
__ackgap_complete() {
    __start_ackgap "$@"
    local word=${COMP_LINE:0:COMP_POINT} begun=
    word=${word##*[[:space:]]}
    [[ $word == *=* && $COMP_WORDBREAKS == *=* ]] && begun=${word%=*}=
    [[ ${word#"$begun"} == *:* && $COMP_WORDBREAKS == *:* ]] && begun=${word%:*}:
    COMPREPLY=("${COMPREPLY[@]#"$begun"}")
}
declare -F __ltrim_colon_completions >/dev/null || __ltrim_colon_completions() { :; }

complete -o default -F __ackgap_complete ackgap

_omen_add () # ARGUMENTS of compgen
{
  local -a found
  mapfile -t found < <(compgen "$@")
  COMPREPLY+=("${found[@]}")
}

_omen_add_files ()
{
  _omen_add -f -- "$1"
  compopt -o filenames 2>/dev/null
}

# The value of the option $2 of the command $1.
_omen_value ()
{
  _omen_add -W "$(_omen_words "$1" "$2")" -- "$3"
  ! _omen_takes_file "$1" "$2" || _omen_add_files "$3"
}

# Options of the command $1. After "--option=" the value follows at once, after
# "-o" and a blank.
_omen_option ()
{
  _omen_add -W "$(_omen_options "$1")" -- "$2"
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == --*= ]]; then
    compopt -o nospace 2>/dev/null
  elif [[ ${#COMPREPLY[@]} -eq 1 ]]; then
    COMPREPLY=("${COMPREPLY[0]%=}")
  fi
}

# The program that a command runs, or one of that program's arguments.
_omen_program ()
{
  [[ $1 != -- || $2 == */* ]] || _omen_add -c -- "$2"
  _omen_add_files "$2"
}

# What is typed so far, in the caller's `line`: bash breaks words at "=", here
# --option=value is one word.
_omen_join ()
{
  local word before=
  line=()
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ $before == --* && $word == = ]] || [[ $before == --*= ]]; then
      before+=$word
      line[${#line[@]} - 1]=$before
    else
      before=$word
      line+=("$word")
    fi
  done
}

# Completes the last word of `line`, which begins with the command $1 unless $2,
# the number of its words, is 0.
_omen_complete ()
{
  local word value= current=${line[-1]}
  local options=" $(_omen_options "$1") "
  for word in "${line[@]:$2:${#line[@]}-$2-1}"; do
    if [[ $value ]]; then
      value=
    elif [[ $options == *" $word= "* ]]; then
      value=$word
    elif [[ $word == -- || $word != -* ]] && _omen_runs "$1"; then
      _omen_program "$word" "$current"
      return
    fi
  done
  if [[ $value ]]; then
    _omen_value "$1" "$value" "$current"
  elif [[ $current == --*=* ]]; then
    _omen_value "$1" "${current%%=*}" "${current#*=}"
    [[ $COMP_WORDBREAKS == *=* ]] ||
      COMPREPLY=("${COMPREPLY[@]/#/${current%%=*}=}")
  elif [[ $current == -* ]]; then
    _omen_option "$1" "$current"
  elif _omen_runs "$1"; then
    _omen_program -- "$current"
  else
    _omen_add -W "$(_omen_arguments "$1")" -- "$current"
    _omen_add_files "$current"
  fi
}

_omen ()
{
  local -a line
  COMPREPLY=()
  _omen_join
  case ${COMP_WORDS[0]##*/} in
  omen-cc) _omen_complete cc 0; return ;;
  omen-c++) _omen_complete c++ 0; return ;;
  esac
  if [[ ${#line[@]} -le 1 ]]; then
    _omen_add -W "$(_omen_commands)" -- "${line[0]-}"
  elif [[ ! $(_omen_commands "${line[0]}") ]]; then
    _omen_complete "${line[0]}" 1
  elif [[ ${#line[@]} -eq 2 ]]; then
    _omen_add -W "$(_omen_commands "${line[0]}")" -- "${line[1]}"
  else
    _omen_complete "${line[0]} ${line[1]}" 2
  fi
}

complete -F _omen omen omen-cc omen-c++

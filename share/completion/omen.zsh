# The program that a command runs, and its arguments, as they complete by
# themselves.
_omen_program ()
{
  if ((CURRENT == 1)); then
    _alternative 'commands:program:_command_names -e' 'files:file:_files'
  else
    _normal
  fi
}

# First words of commands; after the first of two, the second ones.
_omen_names ()
{
  local -a names
  local name
  local before="${(j: :)words[2,CURRENT-1]}"
  for name in $_omen_commands; do
    [[ -z $before ]] || [[ $name == "$before "* ]] || continue
    name=${name#$before }
    [[ ${name%%:*} == *\ * ]] && name=${name%% *}
    names+=($name)
  done
  _describe command names
}

_omen ()
{
  local command
  case ${words[1]:t} in
  omen-cc|omen-c++) command=${${words[1]:t}#omen-} ;;
  *)
    if ((CURRENT == 2)); then
      _omen_names
      return
    fi
    command=$words[2]
    if [[ -n ${(M)_omen_commands:#$command *} ]]; then
      if ((CURRENT == 3)); then
        _omen_names
        return
      fi
      command+="_$words[3]"
      shift words
      ((CURRENT--))
    fi
    shift words
    ((CURRENT--)) ;;
  esac
  (($+functions[_omen_$command])) && _omen_$command
}

_omen "$@"

import { Argument } from 'commander'
import type { CommandModule } from './command.js'
import { scripts } from './completion/scripts.js'

export const register: CommandModule['register'] = (program, finish) => {
  program
    .command('completion')
    .description('Print the script with which a shell completes commands, options and their values.')
    .addArgument(new Argument('<shell>', 'the shell of the script').choices(Object.keys(scripts)))
    .addHelpText('after', help)
    .action((shell: string) => {
      process.stdout.write(scripts[shell] ?? '')
      finish(0)
    })
}

const help = `
The script completes a program that is called svc and runs it for that. To install it:
  bash  mkdir -p ~/.local/share/bash-completion/completions
        svc completion bash > ~/.local/share/bash-completion/completions/svc
  zsh   mkdir -p ~/.zfunc && svc completion zsh > ~/.zfunc/_svc
        and in ~/.zshrc, before compinit is called: fpath=(~/.zfunc $fpath)
  fish  mkdir -p ~/.config/fish/completions
        svc completion fish > ~/.config/fish/completions/svc.fish
To try it in a running shell, and for a bash without the package bash-completion: eval "$(svc completion bash)"

Example:
  svc completion bash > svc.bash
`

import { Argument } from 'commander'
import type { CommandModule } from './command.js'
import { renderBash } from './completion/bash.js'
import { renderFish } from './completion/fish.js'
import { type CommandShape, shapeOf } from './completion/shape.js'
import { renderZsh } from './completion/zsh.js'

const shells: Readonly<Record<string, (program: CommandShape) => string>> = {
  bash: renderBash,
  zsh: renderZsh,
  fish: renderFish,
}

export const register: CommandModule['register'] = (program, finish) => {
  program
    .command('completion')
    .description('Print the script by which a shell completes commands, options and what options take.')
    .addArgument(new Argument('<shell>', 'whose script').choices(Object.keys(shells)))
    .addHelpText('after', help)
    .action((shell: string) => {
      process.stdout.write(shells[shell]?.(shapeOf(program)) ?? '')
      finish(0)
    })
}

const help = `
It completes a program that is called svc. To install it, once and again after an update:
  bash  mkdir -p ~/.local/share/bash-completion/completions
        svc completion bash > ~/.local/share/bash-completion/completions/svc
  zsh   mkdir -p ~/.zfunc && svc completion zsh > ~/.zfunc/_svc
        and in ~/.zshrc, before compinit is called: fpath=(~/.zfunc $fpath)
  fish  mkdir -p ~/.config/fish/completions
        svc completion fish > ~/.config/fish/completions/svc.fish
To try it in the shell that runs, and for a bash without the package bash-completion: eval "$(svc completion bash)"

Example:
  svc completion bash > svc.bash
`

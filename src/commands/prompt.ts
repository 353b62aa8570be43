import { Option } from 'commander'
import { readPrompts } from '../catalog.js'
import { SvcError } from '../errors.js'
import { defaultDiaryVersion, diaryVersions, parsePromptVersion } from '../media/diary-versions.js'
import { type Pose, poses, type Species, species, type TaskLocale, taskLocales } from '../media/poses.js'
import { renderAnimationPrompt, renderAvatarPrompt } from '../media/prompts.js'
import { findNearest } from '../spelling.js'
import { printJson } from './client/run.js'
import type { CommandModule } from './command.js'
import { toPrintableLines } from './output/words.js'

interface PromptFlags {
  readonly kind: 'avatar' | 'animation' | 'diary'
  readonly pose: Pose
  readonly species: Species
  readonly breed?: string
  readonly name?: string
  readonly locale: TaskLocale
  readonly scene?: string
  readonly version: string
  readonly json?: true
}

export const register: CommandModule['register'] = (program, finish) => {
  // Else `--version` of the program itself would be meant.
  program.enablePositionalOptions()
  program
    .command('prompt')
    .description('See what models are asked.')
    .addHelpText('after', '\nExample:\n  svc prompt show --kind avatar --pose sitting\n')
    .command('show')
    .description('Print the words that would be sent for a picture or a clip, with those of the owner in their place.')
    .addOption(
      new Option('--kind <kind>', 'what is to be made').choices(['avatar', 'animation', 'diary']).default('avatar'),
    )
    .addOption(new Option('--pose <pose>', 'of an avatar or an animation').choices(poses).default('sitting'))
    .addOption(new Option('--species <species>', 'of the pet').choices(species).default('dog'))
    .option('--breed <words>', 'as the owner writes it')
    .option('--name <words>', 'as the owner writes it; an avatar has it')
    .addOption(new Option('--locale <locale>', 'of an avatar').choices(taskLocales).default('en-US'))
    .option('--scene <id>', 'of a diary picture; svc diary scenes lists them')
    .option('--version <version>', 'of the prompts of a diary picture', defaultDiaryVersion)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExample:\n  svc prompt show --kind diary --scene rain_walk --species cat --breed "Maine Coon"\n',
    )
    .action(async (flags: PromptFlags) => {
      if (flags.scene !== undefined && flags.kind !== 'diary') {
        throw new SvcError('invalid_request', `--scene goes with --kind diary; --kind ${flags.kind} takes --pose.`)
      }
      const prompt = flags.kind === 'diary' ? await renderDiary(flags) : render(flags)
      if (flags.json) printJson({ kind: flags.kind, characters: [...prompt].length, prompt })
      else process.stdout.write(`${toPrintableLines(prompt)}\n`)
      finish(0)
    })
}

function render({ kind, pose, species, breed, name, locale }: PromptFlags): string {
  const prompts = readPrompts()
  const common = { species, locale, sourceKey: '' }
  if (kind === 'animation') return renderAnimationPrompt(prompts, { ...common, seconds: 0, frames: {} }, pose)
  const input = {
    ...common,
    ...(breed === undefined ? {} : { breed }),
    ...(name === undefined ? {} : { petName: name }),
  }
  return renderAvatarPrompt(prompts, input, pose)
}

async function renderDiary({ scene: id, species, breed, version: text }: PromptFlags): Promise<string> {
  const version = parsePromptVersion(text)
  if (version === undefined) {
    const versions = diaryVersions.join(', ')
    throw new SvcError('invalid_request', `--version is ${JSON.stringify(text)}; it takes ${versions}.`)
  }
  // Loaded when it is needed: the library is larger than all the rest of this command.
  const [{ readDiaryPrompts, readSceneLibrary }, { renderDiaryPrompt }] = await Promise.all([
    import('../catalog/diary.js'),
    import('../media/diary-prompt.js'),
  ])
  const { scenes } = readSceneLibrary(defaultDiaryVersion)
  const scene = scenes.find(({ scene_id }) => scene_id === id)
  if (scene !== undefined) return renderDiaryPrompt(readDiaryPrompts(), { version, species, scene, breed })
  if (id === undefined) throw new SvcError('invalid_request', '--scene is missing; svc diary scenes lists all.')
  const ids = scenes.map(({ scene_id }) => scene_id)
  const nearest = findNearest(id, ids)
  const hint = nearest === undefined ? 'svc diary scenes lists all' : `did you mean ${nearest}?`
  throw new SvcError('invalid_request', `--scene is ${JSON.stringify(id)}, which is no scene of the library; ${hint}`)
}

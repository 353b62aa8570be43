import { Option } from 'commander'
import { readPrompts } from '../catalog/catalog.js'
import { SvcError } from '../errors.js'
import { defaultDiaryVersion, diaryVersions, parsePromptVersion } from '../media/diary-versions.js'
import { type Pose, poses, type Species, species, type TaskLocale, taskLocales } from '../media/poses.js'
import { renderAnimationPrompt, renderAvatarPrompt } from '../media/prompts.js'
import { findNearest } from '../text/spelling.js'
import { toPrintableLines } from '../text/words.js'
import { printJson } from './client/run.js'
import type { CommandModule } from './command.js'
import { addChoices, listSceneIds } from './completion/option-with-choices.js'

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
  // Otherwise `--version` would be the option of the program.
  program.enablePositionalOptions()
  program
    .command('prompt')
    .description('Show the prompts for models.')
    .addHelpText('after', '\nExample:\n  svc prompt show --kind avatar --pose sitting\n')
    .command('show')
    .description('Print the prompt for a picture or a clip, with the words of the owner filled in.')
    .addOption(
      new Option('--kind <kind>', 'kind of picture or clip')
        .choices(['avatar', 'animation', 'diary'])
        .default('avatar'),
    )
    .addOption(new Option('--pose <pose>', 'pose of an avatar or animation').choices(poses).default('sitting'))
    .addOption(new Option('--species <species>', 'species of the pet').choices(species).default('dog'))
    .option('--breed <words>', 'breed, as the owner writes it')
    .option('--name <words>', 'name of the pet, for an avatar')
    .addOption(new Option('--locale <locale>', 'locale of an avatar').choices(taskLocales).default('en-US'))
    .use(addChoices, '--scene <id>', 'scene of a diary picture, from svc diary scenes', listSceneIds)
    .option('--version <version>', 'prompt version of a diary picture', defaultDiaryVersion)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExample:\n  svc prompt show --kind diary --scene rain_walk --species cat --breed "Maine Coon"\n',
    )
    .action(async (flags: PromptFlags) => {
      if (flags.scene !== undefined && flags.kind !== 'diary') {
        throw new SvcError('invalid_request', `--scene needs --kind diary; --kind ${flags.kind} takes --pose.`)
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
  return renderAvatarPrompt(prompts, { ...common, breed, petName: name }, pose)
}

async function renderDiary({ scene: id, species, breed, version: text }: PromptFlags): Promise<string> {
  const version = parsePromptVersion(text)
  if (version === undefined) {
    const versions = diaryVersions.join(', ')
    throw new SvcError('invalid_request', `--version is ${JSON.stringify(text)}; it takes ${versions}.`)
  }
  // Loaded on demand: the library is larger than the rest of this command.
  const [{ readDiaryPrompts, readSceneLibrary }, { renderDiaryPrompt }, { fitsSpecies }] = await Promise.all([
    import('../catalog/diary.js'),
    import('../media/prompts.js'),
    import('../media/scenes.js'),
  ])
  const { scenes } = readSceneLibrary(defaultDiaryVersion)
  const scene = scenes.find(({ scene_id }) => scene_id === id)
  if (scene !== undefined) {
    if (fitsSpecies(scene, species)) return renderDiaryPrompt(readDiaryPrompts(), { version, species, scene, breed })
    throw new SvcError('invalid_request', `The scene ${id} is for a ${scene.species}; add --species ${scene.species}.`)
  }
  if (id === undefined) throw new SvcError('invalid_request', '--scene is missing; svc diary scenes lists all.')
  const ids = scenes.map(({ scene_id }) => scene_id)
  const nearest = findNearest(id, ids)
  const hint = nearest === undefined ? 'svc diary scenes lists all' : `did you mean ${nearest}?`
  throw new SvcError(
    'invalid_request',
    `--scene is ${JSON.stringify(id)}, which is not a scene of the library; ${hint}`,
  )
}

import { InvalidArgumentError, Option } from 'commander'
import { defaultDiaryVersion, diaryVersions } from '../media/diary-versions.js'
import { species } from '../media/poses.js'
import { sceneCategories } from '../media/scenes.js'
import type { CommandModule } from './command.js'
import { declareGenerate } from './diary/generate.js'
import { declarePictures } from './diary/pictures.js'
import { type ComparedVersions, runCompare, runScenes, type ScenesOptions } from './diary/scenes.js'
import { declareSelect } from './diary/select.js'

export const register: CommandModule['register'] = (program, finish) => {
  // Otherwise `--version` would be the option of the program in any position.
  program.enablePositionalOptions()
  const diary = program
    .command('diary')
    .description('Make pictures of a pet in scenes, select the picture of a day, list pictures and scenes.')
    .addHelpText('after', '\nExample:\n  svc diary scenes --species cat\n')

  diary
    .command('scenes')
    .description('List the scenes of a library version, or the differences between two. Needs no server.')
    .addOption(
      new Option('--version <version>', 'library version').choices([...diaryVersions]).default(defaultDiaryVersion),
    )
    .addOption(new Option('--species <species>', 'only scenes for this species').choices([...species]))
    .addOption(new Option('--category <category>', 'only scenes of this category').choices([...sceneCategories]))
    .addOption(
      new Option('--diff <versions>', 'differences between versions, such as V4.2..V4.3')
        .argParser(parseVersions)
        .conflicts(['version', 'species', 'category']),
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples)
    .action((flags: ScenesFlags) => {
      const json = flags.json === true
      finish(flags.diff === undefined ? runScenes(flags, json) : runCompare(flags.diff, json))
    })
  declareGenerate(diary, finish)
  declareSelect(diary, finish)
  declarePictures(diary, finish)
}

interface ScenesFlags extends ScenesOptions {
  readonly diff?: ComparedVersions
  readonly json?: true
}

/** Parses two versions, the older first. */
function parseVersions(text: string): ComparedVersions {
  const [older, newer, ...more] = text.split('..').map((name) => diaryVersions.find((version) => version === name))
  const known = `Known versions: ${diaryVersions.join(', ')}.`
  if (older === undefined || newer === undefined || more.length > 0) {
    throw new InvalidArgumentError(`It must be two versions separated by two dots. ${known}`)
  }
  if (diaryVersions.indexOf(older) <= diaryVersions.indexOf(newer)) {
    throw new InvalidArgumentError('The first version must be the older one.')
  }
  return { older, newer }
}

const examples = `
Examples:
  svc diary scenes --category federal_holiday
  svc diary scenes --version V4.0 --species dog --json
  svc diary scenes --diff V4.2..V4.3
`

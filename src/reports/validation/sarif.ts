import { isAbsolute, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Rule } from '../../insight/types.js'
import type { LocatedViolation, Problem } from '../../payload-files/result.js'
import { stdinName } from '../../payload-files/sources.js'
import { toJsonText } from '../../text/words.js'
import { type CreateReporter, levelOfWarnings, shownWarnings } from './reporter.js'

/** Describes the program to readers of a log. Like the `$id` of the schema of payloads, it names a host that cannot exist. */
const informationUri = 'https://svc.example/docs'

/** Distinguishes the runs of this command from those of other tools. The slash ends a category of code scanning. */
const automationId = 'svc-validate/'

/** Writes a SARIF 2.1.0 log for code scanning, each result as it arrives. */
export const createSarifReporter: CreateReporter = (write, options) => {
  const { cwd, now, rules, toolVersion } = options
  const ruleIndexes = new Map(rules.map(({ id }, index) => [id, index]))
  const problems: Problem[] = []
  let separator = '\n'
  const writeResult = (level: 'error' | 'warning', source: string, index: number, violation: LocatedViolation) => {
    write(`${separator}${toJsonText(toSarifResult(level, { source, index, cwd }, violation, ruleIndexes))}`)
    separator = ',\n'
  }
  const driver = {
    name: 'svc',
    fullName: `svc ${toolVersion}`,
    semanticVersion: toolVersion,
    informationUri,
    rules: rules.map(toSarifRule),
  }
  write('{"version":"2.1.0","$schema":"https://json.schemastore.org/sarif-2.1.0.json","runs":[{')
  write(`"tool":${toJsonText({ driver })},"automationDetails":${toJsonText({ id: automationId })},`)
  write('"columnKind":"utf16CodeUnits","results":[')
  return {
    valid: () => undefined,
    result: (result) => {
      const { source, index, errors } = result
      for (const error of errors) writeResult('error', source, index, error)
      for (const warning of shownWarnings(result, options)) {
        writeResult(levelOfWarnings(options), source, index, warning)
      }
    },
    problem: (problem) => {
      problems.push(problem)
    },
    end: () => {
      const invocation = {
        executionSuccessful: problems.length === 0,
        startTimeUtc: now.toISOString(),
        toolExecutionNotifications: problems.map(({ source, message }) => ({
          level: 'error',
          message: { text: source === undefined ? message : `${source}: ${message}` },
        })),
      }
      write(`\n],"invocations":[${toJsonText(invocation)}]}]}\n`)
    },
  }
}

function toSarifRule({ id, severity, section, sentence, good, bad }: Rule) {
  const example = `Good: ${JSON.stringify(good)}\n\nBad: ${JSON.stringify(bad)}`
  return {
    id,
    name: id.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: sentence },
    fullDescription: { text: `${sentence} Health detail contract, ${section}.` },
    help: { text: `${sentence}\n\nHealth detail contract, ${section}.\n\n${example}` },
    defaultConfiguration: { level: severity },
    properties: { section, tags: ['health-detail', `contract-${section}`] },
  }
}

function toSarifResult(
  level: 'error' | 'warning',
  { source, index, cwd }: { readonly source: string; readonly index: number; readonly cwd: string },
  { rule, message, path, line, column }: LocatedViolation,
  ruleIndexes: ReadonlyMap<string, number>,
) {
  return {
    ruleId: rule,
    ruleIndex: ruleIndexes.get(rule),
    level,
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: toUri(source, cwd) },
          region: { startLine: line, startColumn: column },
        },
        logicalLocations: [{ fullyQualifiedName: `${index}${path}`, kind: 'member' }],
      },
    ],
  }
}

/** Returns a relative URI for a file below the folder of the run, else an absolute one, with reserved characters escaped. */
export function toUri(source: string, cwd: string): string {
  if (source === stdinName) return stdinName
  const absolute = resolve(cwd, source)
  const path = relative(cwd, absolute)
  if (path.startsWith('..') || isAbsolute(path)) return pathToFileURL(absolute).href
  return path.split(sep).map(encodeURIComponent).join('/')
}

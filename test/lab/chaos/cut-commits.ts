import { openPostgresProxy, type PostgresProxy } from '../../helpers/postgres-proxy.js'

export interface CommitCutter extends PostgresProxy {
  /** Loses the answers to the next commits of each kind while it is true. */
  isCutting: boolean
  /** The number of lost answers by the statements that were committed. */
  readonly cuts: ReadonlyMap<string, number>
}

const cutsPerKind = 3

/** Opens a proxy that loses the answers to the first commits of each kind: those with the same statements. */
export async function openCommitCutter(address: string): Promise<CommitCutter> {
  const cuts = new Map<string, number>()
  const proxy = await openPostgresProxy(address, ({ commits }) => {
    if (!cutter.isCutting || commits.length === 0) return false
    const kind = commits.map(describeStatement).join('; ')
    const count = cuts.get(kind) ?? 0
    if (count === cutsPerKind) return false
    cuts.set(kind, count + 1)
    return true
  })
  const cutter: CommitCutter = { ...proxy, isCutting: false, cuts }
  return cutter
}

/** Names the tables that a statement writes: lists of values and of columns differ between calls. */
function describeStatement(text: string): string {
  const writes = text.matchAll(/\b(insert into|update(?! set| skip)|delete from) "?(\w+)"?/g)
  return [...new Set([...writes].map(([, verb, table]) => `${verb} ${table}`))].join(', ')
}

/** Commits whose answers must be lost in each run: one of each kind that the calls and the workers make. */
const requiredCuts = [
  ...['insert into tasks', 'insert into idempotency_keys', 'update idempotency_keys'],
  ...['insert into insight_archive', 'insert into home_insights', 'insert into selections', 'insert into feedback'],
  ...['update units', 'insert into usage_ledger', 'update tasks', 'insert into rate_slots', 'insert into log_lines'],
]

/** Returns a sentence for each kind of commit that did not lose an answer. */
export function findUncut(cuts: CommitCutter['cuts']): string[] {
  const all = [...cuts.keys()].join('; ').split(/[;,] /)
  return requiredCuts.filter((kind) => !all.includes(kind)).map((kind) => `no answer to a commit was lost: ${kind}`)
}

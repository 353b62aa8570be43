import type { Command } from 'commander'
import { describeMove } from '../../app/upkeep/describe.js'
import { loadConfig } from '../../config.js'
import { SvcError } from '../../errors.js'
import { formatSize } from '../../text/size.js'
import { count } from '../../text/words.js'
import { printAnswer } from '../client/run.js'
import type { Finish } from '../command.js'
import type { StorageFlags } from '../storage-options.js'

interface MoveFlags extends Omit<StorageFlags, 'dataDir'> {
  readonly from?: string
  readonly to?: string
  readonly json?: true
}

/** Declares `svc data move`. */
export function registerMove(data: Command, finish: Finish): void {
  data
    .command('move')
    .description('Move a data folder to a database and a bucket, or back, without a running server.')
    .option('--from <folder>', 'the data folder to copy to the database and the bucket')
    .option('--to <folder>', 'the empty folder to copy the database and the bucket to')
    .option('--database <url>', 'PostgreSQL database (SVC_DATABASE)')
    .option('--objects <address>', 'S3-compatible bucket (SVC_OBJECTS)')
    .option('--json', 'print one JSON document')
    .addHelpText('after', help)
    .action(async ({ from, to, json, ...flags }: MoveFlags) => {
      const folder = from ?? to
      if (folder === undefined || (from !== undefined && to !== undefined)) {
        throw new SvcError('invalid_request', 'Give --from or --to, with the data folder.')
      }
      const config = loadConfig({ ...flags, dataDir: folder })
      const { moveData } = await import('../../app/upkeep/move.js')
      const report = await moveData(config, from === undefined ? 'folder' : 'fleet', createMoveProgress())
      const lines = describeMove(report, config, from !== undefined)
      finish(printAnswer({ ...(json && { json }) }, report, lines))
    })
}

const everyMs = 1000

/** Shows the progress of a move on standard error: a line per second at most, and one for each table that is done. */
function createMoveProgress(stream: NodeJS.WriteStream = process.stderr) {
  const sums = new Map<string, number>()
  let shown = ''
  let shownAt = 0
  const show = (what: string) => {
    const amount = sums.get(what) ?? 0
    const text = what === 'objects' ? formatSize(amount) : count(amount, 'row')
    stream.write(`${what}: ${text}\n`)
    shownAt = performance.now()
  }
  return (what: string, amount: number): void => {
    sums.set(what, (sums.get(what) ?? 0) + amount)
    if (what !== shown && shown !== '') show(shown)
    else if (performance.now() - shownAt > everyMs) show(what)
    shown = what
  }
}

const help = `
Everything moves: tasks, pictures, keys, usage, archive and log lines. With --database alone, or --objects alone, the other
part stays in the folder. All rows are copied in one transaction; the numbers of files, bytes and rows are compared. The source
stays as it is. If the command is interrupted, run it again: it starts afresh. After a complete move it says so. No server can
start on the target before it is complete, and no server may run on the source.

The secret that signs addresses and hashes IDs stays the same. From a folder it is that of the folder, if SVC_SECRET is not set:
the processes of the database need it as SVC_SECRET_FILE or SVC_SECRET. To a folder, it is written into the folder.

Examples:
  svc data move --from .svc --database postgres://svc@db.example.com/svc --objects s3://my-bucket
  svc data move --to restored --database postgres://svc@db.example.com/svc --objects s3://my-bucket
`

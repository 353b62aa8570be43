import { suite } from 'uvu'
import { day, type RuleRow, testRows, week } from './rows.js'

const envelope = suite('envelope rules')

const rows: readonly RuleRow[] = [
  ['another schema version', day('hr'), { '/schemaVersion': 'health-detail-v4' }, 'envelope-schema-version'],
  ['no schema version', day('hr'), { '/schemaVersion': undefined }, 'envelope-schema-version'],
  ['IDs of 128 characters', day('hr'), { '/userId': 'u'.repeat(128), '/petId': '🐕'.repeat(128) }],
  ['a user ID of 129 characters', day('hr'), { '/userId': 'u'.repeat(129) }, 'envelope-user-id'],
  ['a pet ID of any characters', day('hr'), { '/petId': 'Tiere/ñandú 7' }],
  ['a user ID that is null', day('hr'), { '/userId': null }, 'envelope-user-id'],
  ['both IDs empty', day('hr'), { '/userId': '', '/petId': '' }, '?envelope-id-empty ?envelope-id-empty'],
  ['a metric in capitals', day('hr'), { '/metric': 'HR' }, 'envelope-metric'],
  ['a metric that is an inherited name', day('hr'), { '/metric': 'constructor' }, 'envelope-metric'],
  ['a metric that is the name of a family', day('hr'), { '/metric': 'vital' }, 'envelope-metric'],
  ['no metric', week('rest'), { '/metric': undefined }, 'envelope-metric'],
  ['no window', week('rest'), { '/viewWindow': undefined }, 'envelope-view-window'],
  ['no locale', day('hr'), { '/locale': undefined }],
  ['locale null', day('hr'), { '/locale': null }],
  ['locale zh', day('hr'), { '/locale': 'zh' }, 'envelope-locale'],
  ['no name', day('hr'), { '/petProfile/name': undefined }, 'envelope-pet-name'],
  ['a name of one space', day('hr'), { '/petProfile/name': ' ' }],
  ['no pet profile', day('hr'), { '/petProfile': undefined }, 'envelope-pet-profile'],
  ['a cat', day('hr'), { '/petProfile/species': 'cat' }],
  ['species null', day('hr'), { '/petProfile/species': null }, 'envelope-pet-species'],
  ['metrics an array', day('hr'), { '/metrics': [] }, 'metrics-object'],
  ['previousPeriod null', day('hr'), { '/previousPeriod': null }],
  ['previousPeriod an empty object', day('hr'), { '/previousPeriod': {} }, 'envelope-previous-period'],
  ['previousPeriod false', day('hr'), { '/previousPeriod': false }, 'envelope-previous-period'],
]
testRows(envelope, rows)

envelope.run()

import { startApproval } from './approval.js'
import { openComment, startComments } from './comments.js'
import { startContents } from './contents.js'
import { startEditing } from './editor.js'
import { startFilters } from './filters.js'
import { startKeeping } from './keeping.js'
import { startKeys } from './keys.js'
import { startLanguages } from './languages.js'
import { startPrint } from './print.js'
import { startReload } from './reload.js'
import { countTicks, startTicks, toggleExample } from './ticks.js'

startLanguages(countTicks)
startTicks()
startFilters()
startComments()
startEditing()
startApproval()
startContents()
startKeys({ comment: openComment, tick: toggleExample })
startPrint()
startKeeping()
startReload()

import { startTheme } from '../shared/theme.js'
import { startCode } from './code.js'
import { startContents } from './contents.js'
import { followOldAddress, startSearch } from './search.js'
import { startTabs } from './tabs.js'

startCode()
startTabs()
startTheme()
startContents()
startSearch()
void followOldAddress()

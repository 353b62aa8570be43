import { join } from 'node:path'
import { root } from './install.js'
import { type Check, runTool } from './tools.js'

export const packageChecks: Readonly<Record<string, Check>> = {
  'package: knip finds every import declared, and every dependency used': () => {
    const config = join(root, 'test/lab/peers/knip.jsonc')
    runTool('knip', ['--config', config, '--include', 'dependencies,unlisted,unresolved'], { cwd: root })
  },
}

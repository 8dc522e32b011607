import { expect, test } from 'vitest'
import type { Rule } from './architecture-rules.ts'
import * as rules from './architecture-rules.ts'
import { parseImports, readSourceTree, type SourceFile } from './source-tree.ts'

const file = (path: string, source = ''): SourceFile => ({ path, source })
const importing = (path: string, target: string) => file(path, `import { x } from '${target}'\n`)

const createTimedAssertion = (clock: string) => `expect(${clock}.now() - start, 'at once').toBeLessThan(500)\n`

/** Each rule with file sets that each contain one violation, and files that it must allow. */
const cases: [name: string, rule: Rule, violations: SourceFile[][], allowed: SourceFile[]][] = [
  [
    'the contract imports only itself, zod/mini and htmlparser2',
    rules.contractImportsOnlyItself,
    [
      [importing('contract/agents/agents.ts', '#server/db/database.ts')],
      [importing('contract/agents/agents.ts', '../../web/api.ts')],
      [importing('contract/agents/agents.ts', 'zod')],
      [importing('contract/agents/agents.ts', 'node:crypto')],
    ],
    [importing('contract/agents/agents.ts', '../endpoint.ts'), importing('contract/keys/keys.ts', 'zod/mini')],
  ],
  [
    'web imports only web and contract',
    rules.webImportsOnlyWebAndContract,
    [
      [importing('web/agents/agent-card.tsx', '#server/agents/run-agent.ts')],
      [importing('web/agents/agent-card.tsx', '#tests/cast.ts')],
      [importing('web/agents/agent-card.tsx', 'kysely')],
      [file('web/agents/agent-card.tsx', "const later = () => import('../../server/main.ts')\n")],
    ],
    [importing('web/agents/agent-card.tsx', '#contract/index.ts'), importing('web/main.tsx', 'react-router')],
  ],
  [
    'the server imports only server and contract',
    rules.serverImportsOnlyServerAndContract,
    [
      [importing('server/app.ts', '#web/routes.tsx')],
      [importing('server/app.ts', '../scripts/start.ts')],
      [importing('server/app.ts', 'react-dom/server')],
    ],
    [importing('server/app.ts', '#contract/index.ts'), importing('server/app.test.ts', '#tests/cast.ts')],
  ],
  [
    'production code never imports tests',
    rules.productionCodeNeverImportsTests,
    [[importing('server/accounts/register.ts', '#tests/cast.ts')], [importing('contract/index.ts', './index.test.ts')]],
    [importing('scripts/reset.ts', '#tests/cast.ts'), importing('bench/list.ts', '#tests/cast.ts')],
  ],
  [
    'browser code never imports Node modules',
    rules.browserCodeNeverImportsNode,
    [[importing('web/api/api.ts', 'node:path')], [importing('contract/problems.ts', 'node:crypto')]],
    [importing('web/vite.config.ts', 'node:path'), importing('server/main.ts', 'node:http')],
  ],
  [
    'only server/app.ts mounts routes',
    rules.onlyTheAppMountsRoutes,
    [
      [importing('server/agents/run-agent.ts', '../accounts/routes.ts')],
      [importing('server/main.ts', './keys/routes.ts')],
    ],
    [importing('server/app.ts', './accounts/routes.ts')],
  ],
  [
    'only web/main.tsx imports the demo keepers',
    rules.onlyMainImportsTheDemo,
    [[importing('web/keepers/moments/moment-queries.ts', '../demo/demo-state.ts')]],
    [importing('web/main.tsx', './keepers/demo/demo-server.ts')],
  ],
  [
    'in web only a page imports another area',
    rules.onlyPagesImportOtherAreas,
    [
      [importing('web/agents/agent-card.tsx', '../keepers/keeper-name.tsx')],
      [importing('web/ui/controls/button.tsx', '#web/agents/agent-card.tsx')],
    ],
    [
      importing('web/agents/manage-agents-page.tsx', '../keys/key-notice.tsx'),
      importing('web/agents/agent-card.tsx', '../ui/button.tsx'),
      importing('web/agents/agent-card.tsx', './agent-status.tsx'),
    ],
  ],
  [
    'server areas have no cycles',
    rules.noServerAreaCycles,
    [
      [importing('server/a/one.ts', '../b/two.ts'), importing('server/b/two.ts', '#server/a/one.ts')],
      [
        importing('server/a/1.ts', '../b/1.ts'),
        importing('server/b/2.ts', '../c/1.ts'),
        importing('server/c/2.ts', '../a/2.ts'),
      ],
    ],
    [
      importing('server/a/one.ts', '../b/two.ts'),
      file('server/b/two.ts', "import type { One } from '../a/one.ts'\n"),
      importing('server/b/two.test.ts', '../a/one.ts'),
    ],
  ],
  [
    'no area imports a higher layer',
    rules.noAreaImportsHigherLayers,
    [
      [importing('server/http/router.ts', '../accounts/authenticate.ts')],
      [importing('server/values/new-id.ts', '../db/parameters.ts')],
      [importing('web/ui/fields/field.tsx', '#web/api/api.ts')],
      [importing('web/keepers/keeper-frame.tsx', '../shell/sidebar.tsx')],
    ],
    [
      importing('server/db/restore.ts', '../values/new-id.ts'),
      importing('server/http/router.test.ts', '../accounts/authenticate.ts'),
      file('server/http/router.ts', "import type { Person } from '../accounts/person.ts'\n"),
      importing('web/shell/sidebar.tsx', '../keepers/keeper-list.tsx'),
      importing('web/keepers/keeper-frame.tsx', '../page/crumb.ts'),
    ],
  ],
  [
    'files have no import cycles',
    rules.noImportCycles,
    [
      [importing('server/a/one.ts', './two.ts'), importing('server/a/two.ts', './one.ts')],
      [
        importing('web/a/one.tsx', './two.tsx'),
        importing('web/a/two.tsx', './three.tsx'),
        importing('web/a/three.tsx', '#web/a/one.tsx'),
      ],
    ],
    [
      importing('server/a/one.ts', './two.ts'),
      file('server/a/two.ts', "import type { One } from './one.ts'\nconst later = () => import('./one.ts')\n"),
    ],
  ],
  [
    'no file or folder has a catch-all name',
    rules.noCatchAllNames,
    [
      [file('web/utils/date.ts')],
      [file('server/agents/helpers.ts')],
      [file('server/lib/x.ts')],
      [file('web/misc.tsx')],
    ],
    [file('server/accounts/password.ts'), file('web/library/library-page.tsx')],
  ],
  [
    'files have a maximum length',
    rules.filesHaveAMaxLength,
    [[file('server/agents/run-agent.ts', 'x\n'.repeat(401))]],
    [file('server/agents/run-agent.ts', 'x\n'.repeat(400))],
  ],
  [
    'names use the standard terms',
    rules.namesUseTheStandardTerms,
    [
      [file('server/a.ts', 'const mostBytes = 1\n')],
      [file('web/a.tsx', 'export function nameOf(user: User) {}\n')],
      [file('contract/a.ts', 'export interface Asked {}\n')],
      [file('tests/a.ts', 'let runsUnderWay = 0\n')],
    ],
    [file('server/a.ts', '// const mostBytes\nconst maxBytes = 1\nfunction getName() {}\nconst placement = 1\n')],
  ],
  [
    'tests never assert durations',
    rules.testsNeverAssertDurations,
    [
      [file('server/a/one.test.ts', createTimedAssertion('performance'))],
      [file('tests/journeys/one.spec.ts', createTimedAssertion('Date'))],
    ],
    [
      file('server/a/one.test.ts', 'expect(Date.now() - start).toBeGreaterThanOrEqual(1500)\n'),
      file('bench/one.ts', createTimedAssertion('performance')),
    ],
  ],
  [
    'text sizes follow the browser',
    rules.textSizesFollowTheBrowser,
    [
      [file('web/agents/agent-card.tsx', '<p className="mt-[3px] phone:text-[11px]">\n')],
      [file('web/agents/agent-card.tsx', "const quote = 'leading-[22.5px] italic'\n")],
      [file('web/agents/agent-card.css', '.quote {\n  font-size: 13px;\n}\n')],
    ],
    [
      file('web/agents/agent-card.tsx', '<p className="mt-[3px] text-[0.6875rem] leading-[1.25em]">\n'),
      file('server/exports/write-html.ts', "const style = 'font-size: 13px'\n"),
    ],
  ],
  [
    'names in titles and toasts keep their direction',
    rules.namesKeepTheirDirection,
    [
      [file('web/keepers/delete-keeper.tsx', '<ConfirmDialog open title={`Delete ${keeper.title}?`}>\n')],
      [file('web/themes/save-theme.ts', 'void showToast(`Saved ${theme.name}.`)\n')],
    ],
    [
      file('web/keepers/delete-keeper.tsx', '<ConfirmDialog open title={withNames`Delete ${keeper.title}?`}>\n'),
      file('web/shell/user-block.tsx', '<span title={`${name}, ${user.email}`}>\n'),
    ],
  ],
  [
    'scripts never end silently on an old Node',
    rules.scriptsNeverEndSilently,
    [[file('scripts/map.ts', 'if (import.meta.main) printMap()\n')]],
    [file('scripts/map.ts', 'if (isMain(import.meta)) printMap()\n')],
  ],
  [
    'only one file checks for a composition',
    rules.onlyOnePlaceReadsComposition,
    [
      [file('web/agents/chat/box.tsx', 'if (event.nativeEvent.isComposing) return\n')],
      [file('web/agents/chat/box.tsx', 'if (event.keyCode === 13) send()\n')],
    ],
    [
      file('web/ui/fields/block-reserved-keys.ts', 'event.isComposing || event.keyCode === 229\n'),
      file('web/a.ts', 'event.key\n'),
    ],
  ],
  [
    'only model code and the egress file use the global fetch',
    rules.onlyEgressUsesGlobalFetch,
    [
      [file('server/domains/verify.ts', "const answer = await fetch('https://example.org')\n")],
      [file('server/domains/verify.ts', 'const call = globalThis.fetch\n')],
    ],
    [
      file('server/domains/verify.ts', 'export const verify = ({ fetch }: ModelRuntime) => fetch(address)\n'),
      file('server/domains/verify.ts', 'await services.modelRuntime.fetch(address)\n'),
      file('server/models/openai.ts', 'await fetch(address)\n'),
    ],
  ],
  [
    'model calls pass a budget',
    rules.modelCallsPassABudget,
    [
      [file('server/agents/judge.ts', "import { ModelFailure, runModel } from '#server/models/run-model.ts'\n")],
      [file('server/diagnostics/try-voice.ts', "import { type Speech, speak } from '#server/models/speak.ts'\n")],
    ],
    [
      file('server/agents/runs/execute/call-model.ts', "import { runModel } from '#server/models/run-model.ts'\n"),
      file('server/agents/judge.ts', "import { ModelFailure } from '#server/models/run-model.ts'\n"),
    ],
  ],
  [
    'only one file creates prompt items',
    rules.onlyOneFileCreatesPromptItems,
    [
      [file('server/keepers/sole/quick-items.ts', 'return rows.map((row) => row as PromptItem)\n')],
      [file('server/agents/tools/echo.ts', 'const item = { ...given } as unknown as PromptItem\n')],
    ],
    [
      file('server/keepers/prompt/prompt-items.ts', 'return { entity, id } as PromptItem\n'),
      file(
        'server/keepers/sole/request-draft.ts',
        '/** Cards as PromptItem. */\nfunction of(cards: PromptItem[]) {}\n',
      ),
    ],
  ],
  [
    'drafting reads only content for AI',
    rules.draftingReadsOnlyAiVisibleContent,
    [
      [file('server/keepers/sole/more.ts', "db.selectFrom('moments').where('deleted_at', 'is', null)\n")],
      [
        file(
          'server/keepers/prompt/more.ts',
          "db.selectFrom('voice_entries').where('ai_visible', '=', true)\ndb.selectFrom('memory_cards as card').select('id')\n",
        ),
      ],
    ],
    [
      file('server/keepers/sole/ok.ts', "db.selectFrom('memory_cards as card').where('card.ai_visible', '=', true)\n"),
      file('server/keepers/moments/list.ts', "db.selectFrom('moments').selectAll()\n"),
    ],
  ],
  [
    'only the proposals area reads proposals',
    rules.onlyTheProposalsAreaReadsProposals,
    [
      [file('server/keepers/prompt/more.ts', "db.selectFrom('proposals').select('content')\n")],
      [file('server/agents/more.ts', "query.innerJoin('proposals as draft', 'a', 'b')\n")],
    ],
    [file('server/keepers/proposals/list.ts', "db.selectFrom('proposals').selectAll()\n")],
  ],
  [
    'a migration imports nothing but types',
    rules.migrationsImportOnlyTypes,
    [[importing('server/db/migrations/0002-agents.ts', '#server/agents/defaults.ts')]],
    [
      file('server/db/migrations/0002-agents.ts', "import type { Migration } from '../migrate.ts'\n"),
      importing('server/db/migrations/index.ts', './0002-agents.ts'),
    ],
  ],
  [
    'SQL stays on the server',
    rules.sqlStaysOnTheServer,
    [[importing('web/api/api.ts', '#server/db/database.ts')], [importing('contract/index.ts', 'kysely')]],
    [importing('server/agents/list.ts', '#server/db/database.ts')],
  ],
]

test.for(cases)('%s: violations are reported, allowed code is not', ([, rule, violations, allowed]) => {
  for (const files of violations) expect(rule([...allowed, ...files]), files[0]?.source).toHaveLength(1)
  expect(rule(allowed)).toEqual([])
})

const tree = readSourceTree()

test.for(cases)('%s', ([, rule]) => {
  expect(tree.length).toBeGreaterThan(50)
  expect(rule(tree)).toEqual([])
})

test('every rule has a test case', () => {
  expect(cases.map(([, rule]) => rule)).toEqual(expect.arrayContaining(Object.values(rules)))
})

test('imports are read in all their forms', () => {
  const source = [
    "import './side-effect.ts'",
    "import type { A } from '#contract/a.ts'",
    "import { type B, type C } from './b.ts'",
    "import {\n  d,\n  type E,\n} from '#server/d.ts'",
    "export * from 'zod/mini'",
    "const later = await import('./later.ts')",
    "type Later = typeof import('./typed.ts')",
    "export const from = 'nowhere'",
    "const text = `import { x } from './not-one.ts'`",
  ].join('\n')
  const matches = parseImports(file('server/area/file.ts', source))
  expect(matches.map(({ target, typeOnly }) => `${target}${typeOnly ? ' (type)' : ''}`)).toEqual([
    'server/area/side-effect.ts',
    'contract/a.ts (type)',
    'server/area/b.ts (type)',
    'server/d.ts',
    'zod/mini',
    'server/area/later.ts',
    'server/area/typed.ts (type)',
  ])
})

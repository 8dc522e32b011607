import { expect, test } from 'vitest'
import type { Rule } from './architecture-rules.ts'
import * as rules from './architecture-rules.ts'
import { parseImports, readSourceTree, type SourceFile } from './source-tree.ts'

const createFile = (path: string, source = ''): SourceFile => ({ path, source })
const createImport = (path: string, target: string) => createFile(path, `import { x } from '${target}'\n`)

const createTimedAssertion = (clock: string) => `expect(${clock}.now() - start, 'at once').toBeLessThan(500)\n`

/** Each rule with file sets that each contain one violation, and files that it must allow. */
const cases: [name: string, rule: Rule, violations: SourceFile[][], allowed: SourceFile[]][] = [
  [
    'the contract imports only itself, zod/mini and htmlparser2',
    rules.contractImportsOnlyItself,
    [
      [createImport('contract/agents/agents.ts', '#server/db/database.ts')],
      [createImport('contract/agents/agents.ts', '../../web/api.ts')],
      [createImport('contract/agents/agents.ts', 'zod')],
      [createImport('contract/agents/agents.ts', 'node:crypto')],
    ],
    [createImport('contract/agents/agents.ts', '../endpoint.ts'), createImport('contract/keys/keys.ts', 'zod/mini')],
  ],
  [
    'web imports only web and contract',
    rules.webImportsOnlyWebAndContract,
    [
      [createImport('web/agents/agent-card.tsx', '#server/agents/run-agent.ts')],
      [createImport('web/agents/agent-card.tsx', '#tests/cast.ts')],
      [createImport('web/agents/agent-card.tsx', 'kysely')],
      [createFile('web/agents/agent-card.tsx', "const later = () => import('../../server/main.ts')\n")],
    ],
    [createImport('web/agents/agent-card.tsx', '#contract/index.ts'), createImport('web/main.tsx', 'react-router')],
  ],
  [
    'the server imports only server and contract',
    rules.serverImportsOnlyServerAndContract,
    [
      [createImport('server/app.ts', '#web/routes.tsx')],
      [createImport('server/app.ts', '../scripts/start.ts')],
      [createImport('server/app.ts', 'react-dom/server')],
    ],
    [createImport('server/app.ts', '#contract/index.ts'), createImport('server/app.test.ts', '#tests/cast.ts')],
  ],
  [
    'production code never imports tests',
    rules.productionCodeNeverImportsTests,
    [
      [createImport('server/accounts/register.ts', '#tests/cast.ts')],
      [createImport('contract/index.ts', './index.test.ts')],
    ],
    [createImport('scripts/reset.ts', '#tests/cast.ts'), createImport('bench/list.ts', '#tests/cast.ts')],
  ],
  [
    'browser code never imports Node modules',
    rules.browserCodeNeverImportsNode,
    [[createImport('web/api/api.ts', 'node:path')], [createImport('contract/problems.ts', 'node:crypto')]],
    [createImport('web/vite.config.ts', 'node:path'), createImport('server/main.ts', 'node:http')],
  ],
  [
    'only server/app.ts mounts routes',
    rules.onlyTheAppMountsRoutes,
    [
      [createImport('server/agents/run-agent.ts', '../accounts/routes.ts')],
      [createImport('server/main.ts', './keys/routes.ts')],
    ],
    [createImport('server/app.ts', './accounts/routes.ts')],
  ],
  [
    'only web/main.tsx imports the demo keepers',
    rules.onlyMainImportsTheDemo,
    [[createImport('web/keepers/moments/moment-queries.ts', '../demo/demo-state.ts')]],
    [createImport('web/main.tsx', './keepers/demo/demo-server.ts')],
  ],
  [
    'in web only a page imports another area',
    rules.onlyPagesImportOtherAreas,
    [
      [createImport('web/agents/agent-card.tsx', '../keepers/keeper-name.tsx')],
      [createImport('web/ui/controls/button.tsx', '#web/agents/agent-card.tsx')],
    ],
    [
      createImport('web/agents/manage-agents-page.tsx', '../keys/key-notice.tsx'),
      createImport('web/agents/agent-card.tsx', '../ui/controls/button.tsx'),
      createImport('web/agents/agent-card.tsx', './agent-status.tsx'),
    ],
  ],
  [
    'server areas have no cycles',
    rules.noServerAreaCycles,
    [
      [createImport('server/a/one.ts', '../b/two.ts'), createImport('server/b/two.ts', '#server/a/one.ts')],
      [
        createImport('server/a/1.ts', '../b/1.ts'),
        createImport('server/b/2.ts', '../c/1.ts'),
        createImport('server/c/2.ts', '../a/2.ts'),
      ],
    ],
    [
      createImport('server/a/one.ts', '../b/two.ts'),
      createFile('server/b/two.ts', "import type { One } from '../a/one.ts'\n"),
      createImport('server/b/two.test.ts', '../a/one.ts'),
    ],
  ],
  [
    'no area imports a higher layer',
    rules.noAreaImportsHigherLayers,
    [
      [createImport('server/http/router.ts', '../accounts/authenticate.ts')],
      [createImport('server/values/new-id.ts', '../db/parameters.ts')],
      [createImport('web/ui/fields/field.tsx', '#web/api/api.ts')],
      [createImport('web/keepers/keeper-frame.tsx', '../shell/sidebar.tsx')],
    ],
    [
      createImport('server/db/restore.ts', '../values/new-id.ts'),
      createImport('server/http/router.test.ts', '../accounts/authenticate.ts'),
      createFile('server/http/router.ts', "import type { Person } from '../accounts/person.ts'\n"),
      createImport('web/shell/sidebar.tsx', '../keepers/keeper-list.tsx'),
      createImport('web/keepers/keeper-frame.tsx', '../page/crumb.ts'),
    ],
  ],
  [
    'files have no import cycles',
    rules.noImportCycles,
    [
      [createImport('server/a/one.ts', './two.ts'), createImport('server/a/two.ts', './one.ts')],
      [
        createImport('web/a/one.tsx', './two.tsx'),
        createImport('web/a/two.tsx', './three.tsx'),
        createImport('web/a/three.tsx', '#web/a/one.tsx'),
      ],
    ],
    [
      createImport('server/a/one.ts', './two.ts'),
      createFile('server/a/two.ts', "import type { One } from './one.ts'\nconst later = () => import('./one.ts')\n"),
    ],
  ],
  [
    'no file or folder has a catch-all name',
    rules.noCatchAllNames,
    [
      [createFile('web/utils/date.ts')],
      [createFile('server/agents/helpers.ts')],
      [createFile('server/lib/x.ts')],
      [createFile('web/misc.tsx')],
    ],
    [createFile('server/accounts/password.ts'), createFile('web/library/library-page.tsx')],
  ],
  [
    'files have a maximum length',
    rules.filesHaveAMaxLength,
    [[createFile('server/agents/run-agent.ts', 'x\n'.repeat(401))]],
    [createFile('server/agents/run-agent.ts', 'x\n'.repeat(400))],
  ],
  [
    'names use the standard terms',
    rules.namesUseTheStandardTerms,
    [
      [createFile('server/a.ts', 'const mostBytes = 1\n')],
      [createFile('web/a.tsx', 'export function nameOf(user: User) {}\n')],
      [createFile('contract/a.ts', 'export interface Asked {}\n')],
      [createFile('tests/a.ts', 'let runsUnderWay = 0\n')],
    ],
    [createFile('server/a.ts', '// const mostBytes\nconst maxBytes = 1\nfunction getName() {}\nconst placement = 1\n')],
  ],
  [
    'tests never assert durations',
    rules.testsNeverAssertDurations,
    [
      [createFile('server/a/one.test.ts', createTimedAssertion('performance'))],
      [createFile('tests/journeys/one.spec.ts', createTimedAssertion('Date'))],
    ],
    [
      createFile('server/a/one.test.ts', 'expect(Date.now() - start).toBeGreaterThanOrEqual(1500)\n'),
      createFile('bench/one.ts', createTimedAssertion('performance')),
    ],
  ],
  [
    'text sizes follow the browser',
    rules.textSizesFollowTheBrowser,
    [
      [createFile('web/agents/agent-card.tsx', '<p className="mt-[3px] phone:text-[11px]">\n')],
      [createFile('web/agents/agent-card.tsx', "const quote = 'leading-[22.5px] italic'\n")],
      [createFile('web/agents/agent-card.css', '.quote {\n  font-size: 13px;\n}\n')],
    ],
    [
      createFile('web/agents/agent-card.tsx', '<p className="mt-[3px] text-[0.6875rem] leading-[1.25em]">\n'),
      createFile('server/exports/write-html.ts', "const style = 'font-size: 13px'\n"),
    ],
  ],
  [
    'names in titles and toasts keep their direction',
    rules.namesKeepTheirDirection,
    [
      [createFile('web/keepers/delete-keeper.tsx', '<ConfirmDialog open title={`Delete ${keeper.title}?`}>\n')],
      [createFile('web/themes/save-theme.ts', 'void showToast(`Saved ${theme.name}.`)\n')],
    ],
    [
      createFile('web/keepers/delete-keeper.tsx', '<ConfirmDialog open title={withNames`Delete ${keeper.title}?`}>\n'),
      createFile('web/shell/user-block.tsx', '<span title={`${name}, ${user.email}`}>\n'),
    ],
  ],
  [
    'scripts never end silently on an old Node',
    rules.scriptsNeverEndSilently,
    [[createFile('scripts/map.ts', 'if (import.meta.main) printMap()\n')]],
    [createFile('scripts/map.ts', 'if (isMain(import.meta)) printMap()\n')],
  ],
  [
    'only one file checks for a composition',
    rules.onlyOnePlaceReadsComposition,
    [
      [createFile('web/agents/chat/box.tsx', 'if (event.nativeEvent.isComposing) return\n')],
      [createFile('web/agents/chat/box.tsx', 'if (event.keyCode === 13) send()\n')],
    ],
    [
      createFile('web/ui/fields/field-keys.ts', 'event.isComposing || event.keyCode === 229\n'),
      createFile('web/a.ts', 'event.key\n'),
    ],
  ],
  [
    'only model code and the egress file use the global fetch',
    rules.onlyEgressUsesGlobalFetch,
    [
      [createFile('server/domains/verify.ts', "const answer = await fetch('https://example.org')\n")],
      [createFile('server/domains/verify.ts', 'const call = globalThis.fetch\n')],
    ],
    [
      createFile('server/domains/verify.ts', 'export const verify = ({ fetch }: ModelRuntime) => fetch(address)\n'),
      createFile('server/domains/verify.ts', 'await services.modelRuntime.fetch(address)\n'),
      createFile('server/models/openai.ts', 'await fetch(address)\n'),
    ],
  ],
  [
    'model calls pass a budget',
    rules.modelCallsPassABudget,
    [
      [createFile('server/agents/judge.ts', "import { ModelFailure, runModel } from '#server/models/run-model.ts'\n")],
      [createFile('server/diagnostics/try-voice.ts', "import { type Speech, speak } from '#server/models/speak.ts'\n")],
    ],
    [
      createFile(
        'server/agents/runs/execute/call-model.ts',
        "import { runModel } from '#server/models/run-model.ts'\n",
      ),
      createFile('server/agents/judge.ts', "import { ModelFailure } from '#server/models/run-model.ts'\n"),
    ],
  ],
  [
    'only one file creates prompt items',
    rules.onlyOneFileCreatesPromptItems,
    [
      [createFile('server/keepers/sole/quick-items.ts', 'return rows.map((row) => row as PromptItem)\n')],
      [createFile('server/agents/tools/echo.ts', 'const item = { ...given } as unknown as PromptItem\n')],
    ],
    [
      createFile('server/keepers/prompt/prompt-items.ts', 'return { entity, id } as PromptItem\n'),
      createFile(
        'server/keepers/sole/request-draft.ts',
        '/** Cards as PromptItem. */\nfunction of(cards: PromptItem[]) {}\n',
      ),
    ],
  ],
  [
    'drafting reads only content for AI',
    rules.draftingReadsOnlyAiVisibleContent,
    [
      [createFile('server/keepers/sole/more.ts', "db.selectFrom('moments').where('deleted_at', 'is', null)\n")],
      [
        createFile(
          'server/keepers/prompt/more.ts',
          "db.selectFrom('voice_entries').where('ai_visible', '=', true)\ndb.selectFrom('memory_cards as card').select('id')\n",
        ),
      ],
    ],
    [
      createFile(
        'server/keepers/sole/ok.ts',
        "db.selectFrom('memory_cards as card').where('card.ai_visible', '=', true)\n",
      ),
      createFile('server/keepers/moments/list.ts', "db.selectFrom('moments').selectAll()\n"),
    ],
  ],
  [
    'only the proposals area reads proposals',
    rules.onlyTheProposalsAreaReadsProposals,
    [
      [createFile('server/keepers/prompt/more.ts', "db.selectFrom('proposals').select('content')\n")],
      [createFile('server/agents/more.ts', "query.innerJoin('proposals as draft', 'a', 'b')\n")],
    ],
    [createFile('server/keepers/proposals/list.ts', "db.selectFrom('proposals').selectAll()\n")],
  ],
  [
    'a migration imports nothing but types',
    rules.migrationsImportOnlyTypes,
    [[createImport('server/db/migrations/0002-agents.ts', '#server/agents/defaults.ts')]],
    [
      createFile('server/db/migrations/0002-agents.ts', "import type { Migration } from '../migrate.ts'\n"),
      createImport('server/db/migrations/index.ts', './0002-agents.ts'),
    ],
  ],
  [
    'SQL stays on the server',
    rules.sqlStaysOnTheServer,
    [[createImport('web/api/api.ts', '#server/db/database.ts')], [createImport('contract/index.ts', 'kysely')]],
    [createImport('server/agents/list.ts', '#server/db/database.ts')],
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
  const matches = parseImports(createFile('server/area/file.ts', source))
  expect(matches.map(({ target, isTypeOnly }) => `${target}${isTypeOnly ? ' (type)' : ''}`)).toEqual([
    'server/area/side-effect.ts',
    'contract/a.ts (type)',
    'server/area/b.ts (type)',
    'server/d.ts',
    'zod/mini',
    'server/area/later.ts',
    'server/area/typed.ts (type)',
  ])
})

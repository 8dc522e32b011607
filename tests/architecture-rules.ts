import { getRoot, isTest, parseImports, type SourceFile } from './source-tree.ts'

/** Returns a message for each violation, which also says what to do instead. */
export type Rule = (files: SourceFile[]) => string[]

const runsInNode = ['server', 'tests', 'scripts', 'bench', 'quality']
/** Files that run only during the build; no code of a page imports them. */
const buildFilesOfWeb = /^web\/(vite(\.\w+)?\.config\.ts|build\.ts|build\/.*)$/
const serverPackages =
  /^(hono|@hono\/.*|kysely|pg|pino|nodemailer|ai|@ai-sdk\/.*|rolldown|vite|vitest|@playwright\/.*)(\/|$)/
const browserPackages = /^(react|react-dom|react-router|@tanstack\/.*|radix-ui|lucide-react|sonner|cmdk|react-.*)(\/|$)/

/** Includes `htmlparser2`, so that server and pages parse HTML alike. */
const contractPackages = ['zod/mini', 'htmlparser2']

export const contractImportsOnlyItself: Rule = (files) =>
  checkImports(files, 'contract', (file, { target, isInternal }) => {
    if (isTest(file.path)) return
    if (isInternal && getRoot(target) === 'contract') return
    if (!isInternal && contractPackages.includes(target)) return
    return `${file.path} imports ${target}: the contract imports only itself, zod/mini and htmlparser2.`
  })

export const webImportsOnlyWebAndContract: Rule = (files) =>
  checkImports(files, 'web', (file, { target, isInternal }) => {
    if (isTest(file.path) || buildFilesOfWeb.test(file.path)) return
    if (isInternal && !['web', 'contract'].includes(getRoot(target))) {
      return `${file.path} imports ${target}: web imports only web and contract. Call the server through web/api/api.ts.`
    }
    if (!isInternal && serverPackages.test(target))
      return `${file.path} imports ${target}, which does not belong in a browser.`
  })

export const serverImportsOnlyServerAndContract: Rule = (files) =>
  checkImports(files, 'server', (file, { target, isInternal }) => {
    if (isTest(file.path)) return
    if (isInternal && !['server', 'contract'].includes(getRoot(target))) {
      return `${file.path} imports ${target}: the server imports only server and contract.`
    }
    if (!isInternal && browserPackages.test(target)) return `${file.path} imports ${target}, which belongs in web.`
  })

export const productionCodeNeverImportsTests: Rule = (files) =>
  checkImports(files, null, (file, { target, isInternal }) => {
    const isAllowed = isTest(file.path) || ['scripts', 'bench', 'quality'].includes(getRoot(file.path))
    if (isAllowed || !isInternal || !isTest(target)) return
    return `${file.path} imports ${target}: production code never imports tests.`
  })

export const browserCodeNeverImportsNode: Rule = (files) =>
  checkImports(files, null, (file, { target }) => {
    const isAllowed = runsInNode.includes(getRoot(file.path)) || isTest(file.path) || buildFilesOfWeb.test(file.path)
    if (isAllowed || !target.startsWith('node:')) return
    return `${file.path} imports ${target}: only server, tests, scripts, bench and quality run in Node.`
  })

export const onlyTheAppMountsRoutes: Rule = (files) =>
  checkImports(files, null, (file, { target, isInternal, isTypeOnly }) => {
    if (!isInternal || isTypeOnly || isTest(file.path) || file.path === 'server/app.ts') return
    if (!/^server\/.*\/routes\.ts$/.test(target)) return
    return `${file.path} imports ${target}: only server/app.ts mounts routes. Call the function instead.`
  })

// Boards, the home page and the first steps show content of every area; no area imports boards.
const areasThatImportAnyArea = ['shell', 'workbench', 'build', 'boards', 'home', 'first-steps']

/** Base layers from low to high: each imports only layers before it, and never an area above. */
const baseLayers: Record<string, string[]> = {
  server: ['values', 'threads', 'settings', 'db', 'http', 'live'],
  web: ['ui', 'csp', 'api', 'offline', 'themes/base', 'files', 'queries', 'catalog', 'page'],
}
const serverBaseLayers = baseLayers.server ?? []

export const onlyPagesImportOtherAreas: Rule = (files) =>
  checkImports(files, 'web', (file, { target, isInternal }) => {
    const area = getArea(file.path, 'web')
    const targetArea = isInternal ? getArea(target, 'web') : undefined
    if (!area || !targetArea || area === targetArea || isTest(file.path)) return
    if (baseLayers.web?.includes(targetArea)) return
    if (area === 'ui') return `${file.path} imports ${target}: web/ui imports no area.`
    // This file installs the demo server; see `onlyMainImportsTheDemo`.
    if (file.path === 'web/main.tsx') return
    if (areasThatImportAnyArea.includes(area) || file.path.endsWith('-page.tsx')) return
    return `${file.path} imports ${target}: only a *-page.tsx imports another area. Pass it in from the page.`
  })

/** Pages call demo keepers like any other keeper, so only web/main.tsx imports the code that answers. */
export const onlyMainImportsTheDemo: Rule = (files) =>
  checkImports(files, null, (file, { target, isInternal }) => {
    if (!isInternal || !target.startsWith('web/keepers/demo/') || isTest(file.path) || file.path === 'web/main.tsx')
      return
    if (file.path.startsWith('web/keepers/demo/')) return
    return `${file.path} imports ${target}: call the endpoint with the ID of a demo keeper instead.`
  })

export const noAreaImportsHigherLayers: Rule = (files) =>
  checkImports(files, null, (file, { target, isInternal, isTypeOnly }) => {
    const root = getRoot(file.path)
    const area = getArea(file.path, root)
    const targetArea = isInternal && !isTypeOnly && !isTest(file.path) ? getArea(target, root) : undefined
    // This file installs the demo server; see `onlyMainImportsTheDemo`.
    if (!area || !targetArea || area === targetArea || file.path === 'web/main.tsx') return
    const order = baseLayers[root] ?? []
    const isHigherLayer = order.includes(area) && !order.slice(0, order.indexOf(area)).includes(targetArea)
    if (isHigherLayer)
      return `${file.path} imports ${target}: ${root}/${area} is below ${targetArea}. Pass it in from above.`
    if (root === 'web' && targetArea === 'shell' && area !== 'shell')
      return `${file.path} imports ${target}: the shell surrounds the pages. Code that pages use belongs in web/page.`
  })

export const noImportCycles: Rule = (files) => {
  const paths = new Set(files.map(({ path }) => path))
  const imports = new Map(
    files
      .filter(({ path }) => !isTest(path))
      .map((file) => [
        file.path,
        new Map(
          parseImports(file)
            .filter(
              ({ target, isInternal, isTypeOnly, isLazy }) => isInternal && !isTypeOnly && !isLazy && paths.has(target),
            )
            .map(({ target }) => [target, target]),
        ),
      ]),
  )
  return [...imports.keys()].flatMap((path) => {
    const cycle = findCycle(path, imports)
    return cycle?.toSorted()[0] === path
      ? [`Import cycle: ${cycle.join(' → ')}. Move the shared code to another file.`]
      : []
  })
}

/** Type imports are allowed in any direction; only imports of running code count. */
export const noServerAreaCycles: Rule = (files) => {
  const importsByArea = new Map<string, Map<string, string>>()
  for (const file of files) {
    const area = getArea(file.path, 'server')
    if (!area || isTest(file.path) || serverBaseLayers.includes(area)) continue
    for (const { target, isInternal, isTypeOnly } of parseImports(file)) {
      const targetArea = isInternal && !isTypeOnly ? getArea(target, 'server') : undefined
      if (!targetArea || targetArea === area || serverBaseLayers.includes(targetArea)) continue
      const areaImports = importsByArea.get(area) ?? new Map<string, string>()
      if (!areaImports.has(targetArea)) areaImports.set(targetArea, `${file.path} → ${target}`)
      importsByArea.set(area, areaImports)
    }
  }
  return [...importsByArea.keys()].flatMap((area) => {
    const cycle = findCycle(area, importsByArea)
    // Report a cycle once, for its alphabetically first area.
    if (!cycle || cycle.toSorted()[0] !== area) return []
    const steps = cycle.map((from, index) => importsByArea.get(from)?.get(cycle[index + 1] ?? area))
    return [`Cycle of server areas: ${steps.join(', ')}. Pass the function in, or move it to the narrower area.`]
  })
}

function findCycle(start: string, imports: Map<string, Map<string, string>>): string[] | undefined {
  const queue: string[][] = [[start]]
  const visited = new Set<string>()
  for (const path of queue) {
    for (const next of imports.get(path.at(-1) ?? '')?.keys() ?? []) {
      if (next === start) return path
      if (!visited.has(next)) {
        visited.add(next)
        queue.push([...path, next])
      }
    }
  }
}

export const noCatchAllNames: Rule = (files) =>
  files.flatMap(({ path }) => {
    const catchAll = path.split('/').find((part) => /^(utils?|helpers?|common|lib|misc)(\.\w+)*$/.test(part))
    return catchAll ? [`${path}: "${catchAll}" says nothing. Name it after what it does, next to its only user.`] : []
  })

const isTestFile = (path: string) => /\.(test|spec)\.tsx?$/.test(path)

const maxLines = 400
/** Longer, because tests in a file are read one at a time. */
const maxTestLines = 600

export const filesHaveAMaxLength: Rule = (files) =>
  files.flatMap(({ path, source }) => {
    if (/^(\/\/|\/\*)\s*(generated|written) (from|by)\b/i.test(source)) return []
    const lines = source.trimEnd().split('\n').length
    const maxCount = isTestFile(path) ? maxTestLines : maxLines
    return lines > maxCount ? [`${path} has ${lines} lines, more than ${maxCount}: split it by what it does.`] : []
  })

const declaration = /\b(?:const|let|function\*?|class|interface|type|enum)\s+([A-Za-z_$][\w$]*)/g
/** Words of our old dialect, with the standard term for each. */
const dialect: [pattern: RegExp, standard: string][] = [
  [/^(most|longest|largest|deepest|highest)(?=[A-Z]|$)/, 'max…'],
  [/^(fewest|least|shortest)(?=[A-Z]|$)/, 'min…'],
  [/AtOnce$/, 'concurrency, pageSize or batchSize'],
  [/[a-z]Of$/, 'a verb (getX, toX, formatX) or a noun'],
  [/^(said|says)(?=[A-Z]|$)/, 'text, label or message'],
  [/^[fF]ound(?=[A-Z]|$)/, 'result, match, or the noun'],
  [/^[gG]iven(?=[A-Z]|$)|^[wW]anted(?=[A-Z]|$)|[a-z]Wanted$/, 'input, params, options or requested'],
  [/^Place$/, 'position, slot, key, route or location'],
  [/^shown(?=[A-Z]|$)/, 'visible…'],
  [/^([tT]old|tells?)(?=[A-Z]|$)/, 'notify, publish or broadcast'],
  [/^[aA]sk(ed|ing|er)(?=[A-Z]|$)/, 'request, fetch or prompt'],
  [/^[kK]ept(?=[A-Z]|$)/, 'saved, stored, queued or cached'],
  [/^(mine|theirs|yours)(?=[A-Z]|$)/, 'current, local, remote or server'],
  [/^(whose|whoever|who|what)(?=[A-Z]|$)/, 'owner, actor, subject or kind'],
  [/^known(?=[A-Z]|$)/, 'existing, registered or cached'],
  [/^(made|make|makes|making)(?=[A-Z]|$)/, 'create, created'],
  [/^(begin|begins|begun|beginning)(?=[A-Z]|$)/, 'start, initial'],
  [/[dD]eeds?(?=[A-Z]|$)/, 'action or permission'],
  [/^pieces?(?=[A-Z]|$)|Pieces?$/, 'chunk, part or segment'],
  [/^([hH]eard|hears?)(?=[A-Z]|$)/, 'receive, onEvent'],
  [/^([hH]eld|holds)(?=[A-Z]|$)/, 'reserved, pending or locked'],
  [/^(facts|figures)(?=[A-Z]|$)|(Facts|Figures)$/, 'details, metadata, metrics or stats'],
  [/[eE]lsewhere/, 'remote or otherProcesses'],
  [/[vV]ault|[sS]helf/, 'LocalStore or objectStore; KeeperList'],
  [/[fF]olded(?=[A-Z]|$)/, 'normalized or collapsed'],
  [/[bB]eads?(?=[A-Z]|$)/, 'points or timelineItems'],
  [/[uU]nderWay/, 'inFlight or running'],
  [/^(gone|away)(?=[A-Z]|$)/, 'deleted, notFound or offline'],
  [/[pP]atience/, 'timeoutMs'],
  [/^(beside|aside|along|around|surroundings|lived)(?=[A-Z]|$)/, 'adjacent, extra, context or occurred'],
  [/^(carryOut|letGo|handOn|lookAgain)/, 'execute, release, transferTo or refresh'],
  [/[aA]new(?=[A-Z]|$)|[mM]eanwhile|[bB]inned|InStep$|^dearest/, 'again, concurrently, trashed or sync'],
  [/^(ended|ending|endings)(?=[A-Z]|$)/, 'outcome, terminalEvent or finished'],
  [/^(tries|torn|fate)(?=[A-Z]|$)/, 'attempts, conflicting or status'],
]

export const namesUseTheStandardTerms: Rule = (files) =>
  files.flatMap(({ path, source }) =>
    /\.css$/.test(path) || path === 'tests/architecture.test.ts'
      ? []
      : [...removeComments(source).matchAll(declaration)].flatMap(([, name = '']) => {
          const term = dialect.find(([pattern]) => pattern.test(name))
          return term ? [`${path}: ${name} is not a standard term. Use ${term[1]}.`] : []
        }),
  )

const isTimedAssertion = /\bexpect\(\s*(performance|Date)\.now\(\)[^\n]*\.toBeLess/

/** Durations depend on the machine and its load, so `bench/` measures them. */
export const testsNeverAssertDurations: Rule = (files) =>
  files.flatMap(({ path, source }) =>
    isTestFile(path) && isTimedAssertion.test(source) ? [`${path} asserts a duration: measure it in bench/.`] : [],
  )

const sizesTextInPixels =
  /\b(?:text|leading)-\[[\d.]+px\]|\b(?:font-size|line-height|fontSize|lineHeight|--text-[\w-]+):\s*['"`]?[\d.]+px/

/** The browser's text-size setting scales rem, not px. Drawings are exempt. */
export const textSizesFollowTheBrowser: Rule = (files) =>
  files.flatMap(({ path, source }) => {
    const match = getRoot(path) === 'web' && !isTest(path) ? sizesTextInPixels.exec(removeComments(source)) : null
    return match ? [`${path}: ${match[0]} ignores the browser's text size. Use rem (16 px are 1rem).`] : []
  })

const namesInPlainText =
  /(?:<\w*(?:Dialog|Drawer)\b[^>]*\btitle=\{|showToast\()`[^`]*\$\{[^}]*(?:[nN]ame|[tT]itle|email)\b/

/** A right-to-left name would reverse the sentence around it. */
export const namesKeepTheirDirection: Rule = (files) =>
  files.flatMap(({ path, source }) => {
    const match = getRoot(path) === 'web' && !isTest(path) ? namesInPlainText.exec(source) : null
    return match ? [`${path}: put the name in ${match[0].slice(-40)} into a <bdi>, with withNames`] : []
  })

/** Node before 24.2 lacks `import.meta.main`, so a script would end silently, with exit code 0. */
export const scriptsNeverEndSilently: Rule = (files) =>
  files.flatMap(({ path, source }) =>
    !path.startsWith('tests/architecture') && removeComments(source).includes('import.meta.main')
      ? [
          `${path} uses import.meta.main: use isMain(import.meta) of server/start/require-node.ts, which says which Node is needed.`,
        ]
      : [],
  )

const readsComposition = /\bisComposing\b|\bkeyCode\b|\.which\b/

/** Browsers disagree on the Enter that ends a composition, so one listener blocks such keys for all handlers. */
export const onlyOnePlaceReadsComposition: Rule = (files) =>
  files.flatMap(({ path, source }) =>
    getRoot(path) === 'web' && !isTest(path) && path !== 'web/ui/fields/field-keys.ts' && readsComposition.test(source)
      ? [`${path} checks for a composition: web/ui/fields/field-keys.ts already blocks such keys for all handlers.`]
      : [],
  )

const filesThatFetch = /^server\/(models\/|http\/egress\.ts$)/
const globalFetch = /(?<!typeof\s)\bglobalThis\.fetch\b|(?<![.\w$])fetch\s*\(/
const fetchParameter = /[({,]\s*fetch\s*[:,})]|\bconst\s+fetch\b|\bfetch\s*\([^)]*\)\s*[:{]/

/**
 * Requests to addresses of the operator use `services.modelRuntime.fetch`; requests to addresses that other people chose
 * use `safeFetch`, which checks the address.
 */
export const onlyEgressUsesGlobalFetch: Rule = (files) =>
  files.flatMap(({ path, source }) => {
    if (getRoot(path) !== 'server' || isTest(path) || filesThatFetch.test(path)) return []
    const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    if (!globalFetch.test(code) || (fetchParameter.test(code) && !code.includes('globalThis.fetch('))) return []
    return [`${path} uses the global fetch: take services.modelRuntime.fetch, or safeFetch for addresses of others.`]
  })

const modelImport =
  /import\s*\{[^}]*\b(?:runModel|speak|transcribe|embed)\b[^}]*\}\s*from\s*'[^']*\/models\/(?:run-model|speak|transcribe|embed)\.ts'/
const budgetedFile =
  /^server\/(?:agents\/runs\/execute\/(?:call-model|speak-answer)|keepers\/voice\/execute-transcription|keepers\/memory-cards\/request-embeddings)\.ts$/

/** Calls that cost money reserve a budget first. */
export const modelCallsPassABudget: Rule = (files) =>
  files.flatMap(({ path, source }) => {
    if (getRoot(path) !== 'server' || isTest(path) || budgetedFile.test(path) || !modelImport.test(source)) return []
    return [
      `${path} calls a model without a budget: start a run, or go through server/agents/runs/execute/call-model.ts.`,
    ]
  })

const promptItemCast = /\b(?:as\s+(?:unknown\s+as\s+)?|satisfies\s+)PromptItem\b|<PromptItem>\s*[({]/
const castsPromptItem = (source: string) => promptItemCast.test(removeComments(source))

/** Only one file creates prompt items, from content of the keeper that is approved, not trashed and for AI. */
export const onlyOneFileCreatesPromptItems: Rule = (files) =>
  files.flatMap(({ path, source }) => {
    if (getRoot(path) !== 'server' || isTest(path) || path === 'server/keepers/prompt/prompt-items.ts') return []
    if (!castsPromptItem(source)) return []
    return [`${path} creates a PromptItem: load it through server/keepers/prompt/prompt-items.ts, which checks access.`]
  })

const contentRead =
  /\.(?:selectFrom|innerJoin|leftJoin)\(\s*'(?:reflections|moments|voice_entries|logbook_entries|memory_cards|echoes)\b/
const checksAiVisible = /'(?:\w+\.)?ai_visible'/

/** Drafts and explanations are sent to models, so each of their queries on entries checks `ai_visible`. */
export const draftingReadsOnlyAiVisibleContent: Rule = (files) =>
  files.flatMap(({ path, source }) => {
    if (!/^server\/keepers\/(?:sole|prompt)\//.test(path) || isTest(path)) return []
    const [, ...reads] = removeComments(source).split(new RegExp(`(?=${contentRead.source})`))
    const uncheckedReads = reads.filter((read) => contentRead.test(read) && !checksAiVisible.test(read))
    return uncheckedReads.map(
      (read) =>
        `${path} reads ${read.slice(0, 40).trim()}… without ai_visible: entries marked "not for AI" would be included.`,
    )
  })

const readsProposals = /\.(?:selectFrom|innerJoin|leftJoin)\(\s*'(?:proposals|proposal_senders)\b/

/** Proposals of programs are no memory until a person approves them, so no prompt contains them. */
export const onlyTheProposalsAreaReadsProposals: Rule = (files) =>
  files.flatMap(({ path, source }) =>
    getRoot(path) === 'server' &&
    !isTest(path) &&
    !path.startsWith('server/keepers/proposals/') &&
    readsProposals.test(removeComments(source))
      ? [`${path} reads proposals: only server/keepers/proposals may, because a person hasn't approved them.`]
      : [],
  )

const removeComments = (source: string) => source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

export const migrationsImportOnlyTypes: Rule = (files) =>
  checkImports(files, 'server', (file, { target, isTypeOnly }) => {
    if (!/^server\/db\/migrations\/\d{4}-/.test(file.path) || isTypeOnly || isTest(file.path)) return
    return `${file.path} imports ${target}: a migration must mean the same in ten years, so it imports types only.`
  })

export const sqlStaysOnTheServer: Rule = (files) =>
  checkImports(files, null, (file, { target, isInternal }) => {
    if (!['contract', 'web'].includes(getRoot(file.path)) || isTest(file.path)) return
    if (!(isInternal && target.startsWith('server/db')) && target !== 'kysely' && target !== 'node:sqlite') return
    return `${file.path} imports ${target}: SQL belongs in server functions.`
  })

/** Folders within an area that count as separate areas, because other areas can import them, or they import others. */
const nestedAreas = ['accounts/own', 'themes/base']

function getArea(path: string, root: string): string | undefined {
  const nested = nestedAreas.find((area) => path.startsWith(`${root}/${area}/`))
  if (nested) return nested
  const parts = path.split('/')
  return parts[0] === root && parts.length > 2 ? parts[1] : undefined
}

function checkImports(
  files: SourceFile[],
  root: string | null,
  checkImport: (file: SourceFile, imported: ReturnType<typeof parseImports>[number]) => string | undefined,
): string[] {
  return files
    .filter((file) => root === null || getRoot(file.path) === root)
    .flatMap((file) => parseImports(file).map((imported) => checkImport(file, imported)))
    .filter((violation) => violation !== undefined)
}

import { getRoot, isTest, parseImports, type SourceFile } from './source-tree.ts'

/** Looks at the files and names every offence in words that say what to do instead. */
export type Rule = (files: SourceFile[]) => string[]

const runsInNode = ['server', 'tests', 'scripts', 'bench', 'quality']
/** Run while building; nothing a page loads may import them. */
const buildFilesOfWeb = /^web\/(vite(\.\w+)?\.config\.ts|build\.ts|build\/.*)$/
const serverPackages =
  /^(hono|@hono\/.*|kysely|pg|pino|nodemailer|ai|@ai-sdk\/.*|rolldown|vite|vitest|@playwright\/.*)(\/|$)/
const browserPackages = /^(react|react-dom|react-router|@tanstack\/.*|radix-ui|lucide-react|sonner|cmdk|react-.*)(\/|$)/

/** `htmlparser2`, so that server and pages read HTML alike. */
const contractPackages = ['zod/mini', 'htmlparser2']

export const contractKnowsOnlyItself: Rule = (files) =>
  eachImport(files, 'contract', (file, { target, ours }) => {
    if (isTest(file.path)) return
    if (ours && getRoot(target) === 'contract') return
    if (!ours && contractPackages.includes(target)) return
    return `${file.path} imports ${target}: the contract knows only itself, zod/mini and htmlparser2.`
  })

export const webLooksOnlyAtTheContract: Rule = (files) =>
  eachImport(files, 'web', (file, { target, ours }) => {
    if (isTest(file.path) || buildFilesOfWeb.test(file.path)) return
    if (ours && !['web', 'contract'].includes(getRoot(target))) {
      return `${file.path} imports ${target}: web looks only into web and contract. Ask the server through web/api/api.ts.`
    }
    if (!ours && serverPackages.test(target))
      return `${file.path} imports ${target}, which does not belong in a browser.`
  })

export const serverLooksOnlyAtTheContract: Rule = (files) =>
  eachImport(files, 'server', (file, { target, ours }) => {
    if (isTest(file.path)) return
    if (ours && !['server', 'contract'].includes(getRoot(target))) {
      return `${file.path} imports ${target}: the server looks only into server and contract.`
    }
    if (!ours && browserPackages.test(target)) return `${file.path} imports ${target}, which belongs in web.`
  })

export const onlyTestsLookAtTests: Rule = (files) =>
  eachImport(files, null, (file, { target, ours }) => {
    const mayLook = isTest(file.path) || ['scripts', 'bench', 'quality'].includes(getRoot(file.path))
    if (mayLook || !ours || !isTest(target)) return
    return `${file.path} imports ${target}: what ships never leans on tests.`
  })

export const nodeStaysOffThePage: Rule = (files) =>
  eachImport(files, null, (file, { target }) => {
    const mayUse = runsInNode.includes(getRoot(file.path)) || isTest(file.path) || buildFilesOfWeb.test(file.path)
    if (mayUse || !target.startsWith('node:')) return
    return `${file.path} imports ${target}: only server, tests, scripts, bench and quality run in Node.`
  })

export const onlyTheAppMountsRoutes: Rule = (files) =>
  eachImport(files, null, (file, { target, ours, typeOnly }) => {
    if (!ours || typeOnly || isTest(file.path) || file.path === 'server/app.ts') return
    if (!/^server\/.*\/routes\.ts$/.test(target)) return
    return `${file.path} imports ${target}: only server/app.ts mounts routes. Call the verb instead.`
  })

// Boards and the home page show what every area has, and the first steps lead everywhere; no area looks into boards.
const looksEverywhere = ['shell', 'workbench', 'build', 'boards', 'home', 'first-steps']

/** Areas that others stand on, each on the ones before it; none of them looks up into an area above. */
const ground: Record<string, string[]> = {
  server: ['values', 'threads', 'settings', 'db', 'http', 'live'],
  web: ['ui', 'csp', 'api', 'offline', 'themes/base', 'files', 'queries', 'catalog', 'page'],
}
const groundOfServer = ground.server ?? []

export const onlyPagesLookIntoAnotherArea: Rule = (files) =>
  eachImport(files, 'web', (file, { target, ours }) => {
    const own = getArea(file.path, 'web')
    const other = ours ? getArea(target, 'web') : undefined
    if (!own || !other || own === other || isTest(file.path)) return
    if (ground.web?.includes(other)) return
    if (own === 'ui') return `${file.path} imports ${target}: web/ui knows no area.`
    // The demo answers calls in the page; `onlyCallsReachTheDemo` guards it.
    if (file.path === 'web/main.tsx') return
    if (looksEverywhere.includes(own) || file.path.endsWith('-page.tsx')) return
    return `${file.path} imports ${target}: only a *-page.tsx looks into another area. Pass it in from the page.`
  })

/** The demo keepers are a leaf: pages call them like any other keeper, and one place answers those calls. */
export const onlyCallsReachTheDemo: Rule = (files) =>
  eachImport(files, null, (file, { target, ours }) => {
    if (!ours || !target.startsWith('web/keepers/demo/') || isTest(file.path) || file.path === 'web/main.tsx') return
    if (file.path.startsWith('web/keepers/demo/')) return
    return `${file.path} imports ${target}: call the endpoint with the ID of a demo keeper instead.`
  })

export const noAreaLooksUp: Rule = (files) =>
  eachImport(files, null, (file, { target, ours, typeOnly }) => {
    const root = getRoot(file.path)
    const own = getArea(file.path, root)
    const other = ours && !typeOnly && !isTest(file.path) ? getArea(target, root) : undefined
    // The demo answers calls in the page; `onlyCallsReachTheDemo` guards it.
    if (!own || !other || own === other || file.path === 'web/main.tsx') return
    const order = ground[root] ?? []
    const looksUp = order.includes(own) && !order.slice(0, order.indexOf(own)).includes(other)
    if (looksUp) return `${file.path} imports ${target}: ${root}/${own} is below ${other}. Pass it in from above.`
    if (root === 'web' && other === 'shell' && own !== 'shell')
      return `${file.path} imports ${target}: the shell is around the pages. What pages use is in web/page.`
  })

export const noFilesImportInACircle: Rule = (files) => {
  const paths = new Set(files.map(({ path }) => path))
  const imports = new Map(
    files
      .filter(({ path }) => !isTest(path))
      .map((file) => [
        file.path,
        new Map(
          parseImports(file)
            .filter(({ target, ours, typeOnly, isLazy }) => ours && !typeOnly && !isLazy && paths.has(target))
            .map(({ target }) => [target, target]),
        ),
      ]),
  )
  return [...imports.keys()].flatMap((path) => {
    const circle = circleThrough(path, imports)
    return circle?.toSorted()[0] === path
      ? [`Files import in a circle: ${circle.join(' → ')}. Move what both need.`]
      : []
  })
}

/** Types may point anywhere; what counts is which area runs code of which. */
export const serverAreasNeverCallInCircles: Rule = (files) => {
  const calls = new Map<string, Map<string, string>>()
  for (const file of files) {
    const own = getArea(file.path, 'server')
    if (!own || isTest(file.path) || groundOfServer.includes(own)) continue
    for (const { target, ours, typeOnly } of parseImports(file)) {
      const other = ours && !typeOnly ? getArea(target, 'server') : undefined
      if (!other || other === own || groundOfServer.includes(other)) continue
      const existing = calls.get(own) ?? new Map<string, string>()
      if (!existing.has(other)) existing.set(other, `${file.path} → ${target}`)
      calls.set(own, existing)
    }
  }
  return [...calls.keys()].flatMap((area) => {
    const circle = circleThrough(area, calls)
    // Report a cycle once, for its alphabetically first area.
    if (!circle || circle.toSorted()[0] !== area) return []
    const steps = circle.map((from, index) => calls.get(from)?.get(circle[index + 1] ?? area))
    return [`Server areas call in a circle: ${steps.join(', ')}. Pass the verb in, or move it to the narrower area.`]
  })
}

function circleThrough(start: string, calls: Map<string, Map<string, string>>): string[] | undefined {
  const queue: string[][] = [[start]]
  const visited = new Set<string>()
  for (const path of queue) {
    for (const next of calls.get(path.at(-1) ?? '')?.keys() ?? []) {
      if (next === start) return path
      if (!visited.has(next)) {
        visited.add(next)
        queue.push([...path, next])
      }
    }
  }
}

export const noDrawersForAnything: Rule = (files) =>
  files.flatMap(({ path }) => {
    const drawer = path.split('/').find((part) => /^(utils?|helpers?|common|lib|misc)(\.\w+)*$/.test(part))
    return drawer ? [`${path}: "${drawer}" says nothing. Name it after what it does, beside its narrowest owner.`] : []
  })

const isStory = (path: string) => /\.(test|spec)\.tsx?$/.test(path)

const maxLines = 400
/** A test file is a list of scenes, read one at a time. */
const maxTestLines = 600

export const noFileTooLongForOneSitting: Rule = (files) =>
  files.flatMap(({ path, source }) => {
    if (/^(\/\/|\/\*)\s*(generated|written) (from|by)\b/i.test(source)) return []
    const lines = source.trimEnd().split('\n').length
    const maxCount = isStory(path) ? maxTestLines : maxLines
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
      : [...withoutComments(source).matchAll(declaration)].flatMap(([, name = '']) => {
          const term = dialect.find(([pattern]) => pattern.test(name))
          return term ? [`${path}: ${name} is not a standard term. Use ${term[1]}.`] : []
        }),
  )

const isTimedAssertion = /\bexpect\(\s*(performance|Date)\.now\(\)[^\n]*\.toBeLess/

/** How long something takes depends on the machine and on what else it does: that is measured in `bench/`. */
export const testsAssertNoTimes: Rule = (files) =>
  files.flatMap(({ path, source }) =>
    isStory(path) && isTimedAssertion.test(source)
      ? [`${path} says how quick something is: measure it in bench/.`]
      : [],
  )

const sizesTextInPixels =
  /\b(?:text|leading)-\[[\d.]+px\]|\b(?:font-size|line-height|fontSize|lineHeight|--text-[\w-]+):\s*['"`]?[\d.]+px/

/** The browser's text-size setting changes what a rem is; a px stays. Numbers in drawings are theirs. */
export const textSizesFollowTheBrowser: Rule = (files) =>
  files.flatMap(({ path, source }) => {
    const match = getRoot(path) === 'web' && !isTest(path) ? sizesTextInPixels.exec(withoutComments(source)) : null
    return match ? [`${path}: ${match[0]} ignores the browser's text size. Use rem (16 px are 1rem).`] : []
  })

const namesInPlainText =
  /(?:<\w*(?:Dialog|Drawer)\b[^>]*\btitle=\{|showToast\()`[^`]*\$\{[^}]*(?:[nN]ame|[tT]itle|email)\b/

/** A name in another script would turn the sentence around it. */
export const namesKeepTheirDirection: Rule = (files) =>
  files.flatMap(({ path, source }) => {
    const match = getRoot(path) === 'web' && !isTest(path) ? namesInPlainText.exec(source) : null
    return match ? [`${path}: put the name in ${match[0].slice(-40)} into a <bdi>, with withNames`] : []
  })

/** Node before 24.2 lacks `import.meta.main`, so a script would end silently, with exit code 0. */
export const scriptsNeverEndSilently: Rule = (files) =>
  files.flatMap(({ path, source }) =>
    !path.startsWith('tests/architecture') && withoutComments(source).includes('import.meta.main')
      ? [
          `${path} uses import.meta.main: use isMain(import.meta) of server/start/require-node.ts, which says which Node is needed.`,
        ]
      : [],
  )

const readsComposition = /\bisComposing\b|\bkeyCode\b|\.which\b/

/** Browsers disagree on the Enter that ends a composition, so one listener keeps all such keys from every handler. */
export const onlyOnePlaceReadsComposition: Rule = (files) =>
  files.flatMap(({ path, source }) =>
    getRoot(path) === 'web' &&
    !isTest(path) &&
    path !== 'web/ui/fields/block-reserved-keys.ts' &&
    readsComposition.test(source)
      ? [
          `${path} asks whether a word is being composed: web/ui/fields/block-reserved-keys.ts keeps such keys from every handler.`,
        ]
      : [],
  )

const mayReachOut = /^server\/(models\/|http\/egress\.ts$)/
const reachesOut = /(?<!typeof\s)\bglobalThis\.fetch\b|(?<![.\w$])fetch\s*\(/
const isGivenFetch = /[({,]\s*fetch\s*[:,})]|\bconst\s+fetch\b|\bfetch\s*\([^)]*\)\s*[:{]/

/**
 * Nothing takes the global fetch: who asks addresses of the operator's is given `services.modelRuntime.fetch`, and what
 * somebody else chose passes `safeFetch`, which checks the address.
 */
export const onlyEgressReachesOut: Rule = (files) =>
  files.flatMap(({ path, source }) => {
    if (getRoot(path) !== 'server' || isTest(path) || mayReachOut.test(path)) return []
    const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    if (!reachesOut.test(code) || (isGivenFetch.test(code) && !code.includes('globalThis.fetch('))) return []
    return [`${path} uses the global fetch: take services.modelRuntime.fetch, or safeFetch where others chose it.`]
  })

const asksModels =
  /import\s*\{[^}]*\b(?:runModel|speak|transcribe|embed)\b[^}]*\}\s*from\s*'[^']*\/models\/(?:run-model|speak|transcribe|embed)\.ts'/
const asksUnderABudget =
  /^server\/(?:agents\/runs\/execute\/(?:call-model|speak-answer)|keepers\/voice\/execute-transcription|keepers\/memory-cards\/request-embeddings)\.ts$/

/** What costs money passes a budget first. */
export const modelsAreAskedUnderABudget: Rule = (files) =>
  files.flatMap(({ path, source }) => {
    if (getRoot(path) !== 'server' || isTest(path) || asksUnderABudget.test(path) || !asksModels.test(source)) return []
    return [
      `${path} asks a model past the budgets: start a run, or go through server/agents/runs/execute/call-model.ts.`,
    ]
  })

const createsPromptItem = /\b(?:as\s+(?:unknown\s+as\s+)?|satisfies\s+)PromptItem\b|<PromptItem>\s*[({]/
const castsPromptItem = (source: string) => createsPromptItem.test(withoutComments(source))

/** Nothing is put before a model but what one file read: of this keeper, approved, not in the bin, for AI. */
export const onlyTheGateMakesPromptItems: Rule = (files) =>
  files.flatMap(({ path, source }) => {
    if (getRoot(path) !== 'server' || isTest(path) || path === 'server/keepers/prompt/prompt-items.ts') return []
    if (!castsPromptItem(source)) return []
    return [
      `${path} makes a PromptItem: read it through server/keepers/prompt/prompt-items.ts, which asks who may see.`,
    ]
  })

const readsWritings =
  /\.(?:selectFrom|innerJoin|leftJoin)\(\s*'(?:reflections|moments|voice_entries|logbook_entries|memory_cards|echoes)\b/
const checksAiVisible = /'(?:\w+\.)?ai_visible'/

/** Drafts and explanations go to models: whatever of them reads what people wrote says that it may be shown to one. */
export const draftingReadsOnlyWhatIsForAi: Rule = (files) =>
  files.flatMap(({ path, source }) => {
    if (!/^server\/keepers\/(?:sole|prompt)\//.test(path) || isTest(path)) return []
    const [, ...reads] = withoutComments(source).split(new RegExp(`(?=${readsWritings.source})`))
    const open = reads.filter((read) => readsWritings.test(read) && !checksAiVisible.test(read))
    return open.map(
      (read) =>
        `${path} reads ${read.slice(0, 40).trim()}… without ai_visible: what is marked "not for AI" would pass.`,
    )
  })

const readsProposals = /\.(?:selectFrom|innerJoin|leftJoin)\(\s*'(?:proposals|proposal_senders)\b/

/** What programs propose is no memory yet, so no prompt can hold it. */
export const onlyTheInboxReadsProposals: Rule = (files) =>
  files.flatMap(({ path, source }) =>
    getRoot(path) === 'server' &&
    !isTest(path) &&
    !path.startsWith('server/keepers/proposals/') &&
    readsProposals.test(withoutComments(source))
      ? [`${path} reads proposals: only server/keepers/proposals may, because a person hasn't approved them.`]
      : [],
  )

const withoutComments = (source: string) => source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

export const migrationsImportOnlyTypes: Rule = (files) =>
  eachImport(files, 'server', (file, { target, typeOnly }) => {
    if (!/^server\/db\/migrations\/\d{4}-/.test(file.path) || typeOnly || isTest(file.path)) return
    return `${file.path} imports ${target}: a migration must mean the same in ten years, so it imports types only.`
  })

export const sqlStaysOnTheServer: Rule = (files) =>
  eachImport(files, null, (file, { target, ours }) => {
    if (!['contract', 'web'].includes(getRoot(file.path)) || isTest(file.path)) return
    if (!(ours && target.startsWith('server/db')) && target !== 'kysely' && target !== 'node:sqlite') return
    return `${file.path} imports ${target}: SQL belongs in the server's verbs.`
  })

/** Folders within an area that count as separate areas, because other areas may look into them, or they into others. */
const nestedAreas = ['accounts/own', 'themes/base']

function getArea(path: string, root: string): string | undefined {
  const nested = nestedAreas.find((area) => path.startsWith(`${root}/${area}/`))
  if (nested) return nested
  const parts = path.split('/')
  return parts[0] === root && parts.length > 2 ? parts[1] : undefined
}

function eachImport(
  files: SourceFile[],
  root: string | null,
  judge: (file: SourceFile, matches: ReturnType<typeof parseImports>[number]) => string | undefined,
): string[] {
  return files
    .filter((file) => root === null || getRoot(file.path) === root)
    .flatMap((file) => parseImports(file).map((matches) => judge(file, matches)))
    .filter((offence) => offence !== undefined)
}

import { parseSync } from 'vite'

export interface AccessCheck {
  id: string
  kind: 'condition' | 'parent' | 'predicate' | 'comparison' | 'demand' | 'refusal'
  text: string
}

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

const ownerColumn = /(^|\.|\}\.)(owner_id|person_id|agent_owner_id|visitor_id|owner|created_by|visibility)$/
const idColumn = /(^|\.)id$/
const parentColumn = /(^|\.)(keeper|agent|domain|board|session|run|keeper_type|journey|topic|template|path)_id$/
const personIdentifier = /\b(person|reader|viewer|actor|caller|runner)\b.*\.id\b|\bpersonId\b|\buserId\b/
/** Access predicates by name, except those about words, certificates, providers and permissions in queries. */
const predicate =
  /^((may|can)(?!(BeMissing|ComeUp|Retry|Send|Start|Sign|Compare\w*|EmailInvitation)$)[A-Z]\w*|isOwner|whereReadable|buildVisibilityFilter)$/
const demand = /^require[A-Z]\w*$/
/** `require…` functions about races and limits, not access. */
const limitDemand =
  /^require(Changes|AvailableNames|FreeName|That|Storable|ValidRange|ValidWaypoints|NoDraft|SolePattern|\w*StreamSpace|SendableKey)$/
const isDemand = (name: string) => (demand.test(name) && !limitDemand.test(name)) || name === 'admit'
const refusal = /forbidden|[nN]otFound|not-found|not-signed-in/
// A query that locks rows shows them to no one.
const lock = /^\s*\.forNoKeyUpdate\(\)/
// `if (!member) throw memberNotFound()`: the lookup decides, and without this line the call fails anyway.
const missingPattern = /^!(person|member|owner)$/
const personWord = /\b(may|can|role|own\w*|existing|person|right|rights|allowed|rank|member|owner|visible)\b/i

interface Edit {
  at: number
  text: string
  /** At equal offsets, closing text comes before continuing and opening text. */
  order: [number, number]
}

/** Finds the access checks of a file. In `instrumented`, each check asks `keeperCheckIsOff(id)` first; line numbers stay. */
export function findChecks(path: string, source: string): { checks: AccessCheck[]; instrumented: string } {
  const checks: AccessCheck[] = []
  const edits: Edit[] = []
  const getText = (node: Node) => source.slice(node.start, node.end)

  const addCheck = (kind: AccessCheck['kind'], start: number, end: number): string => {
    const precedingText = source.slice(0, start)
    const line = precedingText.split('\n').length
    const id = `${path}:${line}:${start - precedingText.lastIndexOf('\n')}`
    checks.push({ id, kind, text: source.slice(start, end).replace(/\s+/g, ' ') })
    return JSON.stringify(id)
  }
  const wrap = (start: number, end: number, open: string, close: string) => {
    edits.push({ at: start, text: open, order: [2, -end] })
    edits.push({ at: end, text: close, order: [0, -start] })
  }
  const replace = (node: Node, kind: AccessCheck['kind'], neutral: string, open = '(') => {
    const id = addCheck(kind, node.start, node.end)
    wrap(node.start, node.end, `${open}keeperCheckIsOff(${id}) ? ${neutral} : `, ')')
  }

  const isAboutPerson = ([column, operator, value]: Node[]): boolean => {
    if (!column || !operator || !value || operator.type !== 'Literal') return false
    if (column.type !== 'Literal' && column.type !== 'TemplateLiteral' && column.type !== 'CallExpression') return false
    const name = column.type === 'Literal' ? String(column.value) : getText(column).replace(/[`'")]+/g, '')
    if (name.endsWith('visibility')) return true
    if (value.type === 'Literal') return false
    return ownerColumn.test(name) || (idColumn.test(name) && personIdentifier.test(getText(value)))
  }

  const isParentCondition = ([column, operator, value]: Node[]): boolean =>
    column?.type === 'Literal' &&
    parentColumn.test(String(column.value)) &&
    operator?.type === 'Literal' &&
    operator.value === '=' &&
    value !== undefined &&
    value.type !== 'Literal'

  const visitCall = (node: Node) => {
    const callee = node.callee as Node
    const args = node.arguments as Node[]
    if (callee.type === 'MemberExpression') {
      const name = (callee.property as Node).name as string
      const object = callee.object as Node
      const [first] = args
      const isInParent =
        name === 'where' &&
        isParentCondition(args) &&
        /'(\w+\.)?id', '='/.test(source.slice(object.start, node.end + 200).split('.execute')[0] ?? '')
      const callsPredicate = first?.type === 'CallExpression' && predicate.test(getText(first.callee as Node))
      const isLock = lock.test(source.slice(node.end))
      if (
        ['where', 'on', 'having'].includes(name) &&
        !isLock &&
        (isAboutPerson(args) || callsPredicate || isInParent)
      ) {
        const id = addCheck(isInParent ? 'parent' : 'condition', (callee.property as Node).start, node.end)
        // `on` must remain a join condition.
        const neutral = name === 'on' ? `$.on((eb) => eb(eb.lit(1), '=', eb.lit(1)))` : '$'
        wrap(node.start, node.end, `keeperChecked(${id}, `, ')')
        const queryArguments = `, ($) => ${neutral}, ($) => $`
        edits.push({ at: object.end, text: queryArguments, order: [1, -node.end] })
        return
      }
      if (name === 'has' && /permissions$/.test(getText(object))) replace(node, 'predicate', 'true')
      return
    }
    if (callee.type !== 'Identifier') return
    const name = callee.name as string
    if (isAboutPerson(args)) replace(node, 'condition', `${name}(${name}.lit(1), '=', ${name}.lit(1))`)
    else if (predicate.test(name)) replace(node, 'predicate', 'true')
  }

  const visitSql = (node: Node) => {
    const { quasis, expressions } = node.quasi as unknown as { quasis: Node[]; expressions: Node[] }
    expressions.forEach((_, index) => {
      const precedingPart = quasis[index]
      const followingPart = quasis[index + 1]
      const match =
        precedingPart &&
        /[\w.]*\b(?:owner_id|person_id)\s*=\s*$/.exec(source.slice(precedingPart.start, precedingPart.end))
      if (!match || !followingPart) return
      const start = precedingPart.start + match.index
      const id = addCheck('condition', start, followingPart.start)
      wrap(start, followingPart.start, `\${keeperCheckIsOff(${id}) ? sql\`1 = 1\` : sql\``, '`}')
    })
  }

  const refusesBelow = (node: Node, key: string, refuses: boolean): boolean => {
    if (node.type === 'IfStatement') return key === 'test' && /^\{?\s*throw\b/.test(getText(node.consequent as Node))
    if (node.type === 'LogicalExpression') return refuses
    return node.type === 'UnaryExpression' ? !refuses : false
  }

  // A demand in a catch clause only explains an earlier failure.
  const caught: [number, number][] = []
  const visit = (node: Node, refuses: boolean): void => {
    const checkCount = checks.length
    if (node.type === 'CatchClause') caught.push([node.start, node.end])
    if (node.type === 'CallExpression') visitCall(node)
    else if (node.type === 'TaggedTemplateExpression' && getText(node.tag as Node).startsWith('sql')) visitSql(node)
    else if (node.type === 'BinaryExpression' && /^[!=]==$/.test(node.operator as string)) {
      const [left, right] = [getText(node.left as Node), getText(node.right as Node)]
      const isOwnerColumn = (text: string) => /(owner(_?id)?|person_?id|userId|author)$/i.test(text)
      const isCallerId = (text: string) =>
        /\b(person|reader|asker|user|caller)\??\.id$|personId$|userId$|^owner$/.test(text)
      if ((isOwnerColumn(left) && isCallerId(right)) || (isOwnerColumn(right) && isCallerId(left)))
        replace(node, 'comparison', node.operator === '===' && !refuses ? 'true' : 'false')
    } else if (node.type === 'ExpressionStatement') {
      const expression = node.expression as Node
      const call = (expression.type === 'AwaitExpression' ? expression.argument : expression) as Node
      const name = call.type === 'CallExpression' ? getText(call.callee as Node) : ''
      if (!caught.some(([from, to]) => node.start > from && node.end < to) && isDemand(name))
        replace(expression, 'demand', 'undefined', 'void (')
    }
    const isCondition =
      checks.length > checkCount && node.type === 'CallExpression' && checks.at(checkCount)?.kind === 'condition'
    for (const [key, value] of Object.entries(node)) {
      if (key === 'type') continue
      for (const child of Array.isArray(value) ? value : [value])
        if (child && typeof child === 'object' && 'type' in child) {
          // In `where(mayRead(reader))`, the call is the condition and not a boolean.
          if (isCondition && key === 'arguments' && child.type === 'CallExpression') continue
          visit(child as Node, refusesBelow(node, key, refuses))
        }
    }
    if (node.type === 'IfStatement' && checks.length === checkCount) {
      const test = node.test as Node
      const refused = getText(node.consequent as Node)
      if (
        /^\{?\s*throw\b/.test(refused) &&
        refusal.test(refused) &&
        !(missingPattern.test(getText(test)) && /[nN]otFound/.test(refused)) &&
        personWord.test(getText(test).replace(/([A-Z])/g, ' $1'))
      )
        replace(test, 'refusal', 'false')
    }
  }
  const { program } = parseSync(path, source)
  visit(program as unknown as Node, false)

  let instrumented = source
  const sorted = edits.toSorted((a, b) => b.at - a.at || b.order[0] - a.order[0] || b.order[1] - a.order[1])
  for (const { at, text } of sorted) instrumented = instrumented.slice(0, at) + text + instrumented.slice(at)
  return { checks, instrumented }
}

export const isChecked = (path: string): boolean =>
  path.startsWith('server/') && path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('server/db/')

export const getCheckFile = (id: string): string => id.replace(/:\d+:\d+$/, '')

import { expect, test } from 'vitest'
import type { Agent } from '#contract/agents/agents.ts'
import { type BundleNode, buildBundleTree } from './run-preview.tsx'

const agent = (slug: string, bundle?: string[]) =>
  ({
    id: `id-${slug}`,
    slug,
    agent_class: bundle ? 'Coordinator' : 'Standard',
    config: bundle ? { bundle } : {},
  }) as Agent

/** Formats as `a(b, c!unknown)`. */
const formatTree = (nodes: BundleNode[]): string =>
  nodes
    .map(({ name, problem, children }) => {
      const inside = children.length > 0 ? `(${formatTree(children)})` : ''
      return `${name}${problem ? `!${problem}` : ''}${inside}`
    })
    .join(', ')

test('nested bundles are expanded three levels deep', () => {
  const agents = [agent('one', ['two', 'leaf']), agent('two', ['three']), agent('three', ['leaf']), agent('leaf')]
  expect(formatTree(buildBundleTree(['one', 'leaf'], agents, 'top'))).toBe('one(two(three!too-deep), leaf), leaf')
  expect(formatTree(buildBundleTree(['two'], agents, 'top'))).toBe('two(three(leaf))')
})

test('cycles end where they close, and missing agents are unknown', () => {
  const agents = [agent('top', ['one']), agent('one', ['id-top', 'nobody'])]
  expect(formatTree(buildBundleTree(['one'], agents, 'top'))).toBe('one(id-top!cycle, nobody!unknown)')
  expect(formatTree(buildBundleTree(['top'], agents, 'top'))).toBe('top!cycle')
})

test('the bundle of a non-Coordinator is ignored', () => {
  const idle = { ...agent('idle'), config: { bundle: ['other'] } } as Agent
  expect(formatTree(buildBundleTree(['idle'], [idle], 'top'))).toBe('idle')
})

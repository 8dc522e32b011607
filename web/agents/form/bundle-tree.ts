import type { Agent } from '#contract/agents/agents.ts'
import { toolLimits } from '#contract/agents/tools.ts'

export interface BundleNode {
  /** Slug or id as written in the bundle. */
  name: string
  agent: Agent | undefined
  problem: 'unknown' | 'circle' | 'too-deep' | undefined
  children: BundleNode[]
}

export function buildBundleTree(bundle: readonly string[], agents: readonly Agent[], rootSlug: string): BundleNode[] {
  const findAgent = (name: string) => agents.find((agent) => agent.slug === name || agent.id === name)
  const rootAgent = findAgent(rootSlug)

  function buildChildren(names: readonly string[], ancestors: readonly string[]): BundleNode[] {
    return names.map((name) => {
      const agent = findAgent(name)
      const slug = agent?.slug ?? name
      const innerBundle = agent?.agent_class === 'Coordinator' ? (agent.config.bundle ?? []) : []
      const problem = ancestors.includes(slug)
        ? 'circle'
        : !agent
          ? 'unknown'
          : innerBundle.length > 0 && ancestors.length > toolLimits.depth - 1
            ? 'too-deep'
            : undefined
      return { name, agent, problem, children: problem ? [] : buildChildren(innerBundle, [...ancestors, slug]) }
    })
  }
  return buildChildren(bundle, [rootAgent?.slug ?? rootSlug])
}

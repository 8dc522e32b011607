import type { AgentClass } from '#contract/agents/agent-constants.ts'
import type { Agent } from '#contract/agents/agents.ts'
import { toolLimits } from '#contract/agents/tools.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { useAgentList } from '../agent-queries.ts'
import { useAgentEditing } from './agent-editor.tsx'

export function RunPreview() {
  return (
    <Card padded={false} className="px-4 py-3.5">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h2 className="font-sans text-ui leading-5 font-semibold tracking-normal">How the agent will run</h2>
        <Badge tone="outlined">preview</Badge>
      </div>
      <RunFlow />
    </Card>
  )
}

function RunFlow() {
  const { name, slug, model, agent_class: agentClass, bundle } = useAgentEditing().values
  const { data } = useAgentList()
  const nodes = agentClass === 'Coordinator' && data ? buildBundleTree(bundle, data.agents, slug) : []
  return (
    <div className="mt-3 text-ui leading-[1.0625rem]">
      <RunPreviewStep dotColor={classColors[agentClass]} name={name.trim() || 'New agent'} note={model} noteMono />
      <BundleBranch label="Agents in the bundle" nodes={nodes} />
    </div>
  )
}

const classColors: Record<AgentClass, string> = {
  Standard: 'bg-chart1',
  Coordinator: 'bg-chart3',
  Lead: 'bg-chart2',
  Persona: 'bg-chart1',
}

const bundleProblemTexts = {
  unknown: 'Agent not found',
  cycle: 'A Coordinator can’t end up calling itself',
  'too-deep': `Bundles can be at most ${toolLimits.depth} levels deep`,
} as const

function BundleBranch({ label, nodes }: { label: string; nodes: BundleNode[] }) {
  if (nodes.length === 0) return null
  return (
    <ol aria-label={label} className="ms-[5px]">
      {nodes.map(({ name, agent, problem, children }) => (
        <li
          key={name}
          className="relative ps-[21px] before:absolute before:start-0 before:top-0 before:h-[13px] before:w-[15px] before:rounded-es-sm before:border-s-[1.5px] before:border-b-[1.5px] before:border-input before:content-[''] not-last:after:absolute not-last:after:start-0 not-last:after:top-0 not-last:after:h-full not-last:after:border-s-[1.5px] not-last:after:border-input not-last:after:content-['']"
        >
          <RunPreviewStep
            dotColor={agent ? classColors[agent.agent_class] : 'bg-input'}
            name={agent?.slug ?? name}
            mono
            note={problem ? bundleProblemTexts[problem] : (agent?.purpose ?? '')}
            isInvalid={problem !== undefined}
          />
          <BundleBranch label={`Bundle of ${name}`} nodes={children} />
        </li>
      ))}
    </ol>
  )
}

interface RunPreviewStepProps {
  dotColor: string
  name: string
  note: string
  mono?: boolean
  noteMono?: boolean
  isInvalid?: boolean
}

function RunPreviewStep({ dotColor, name, note, mono, noteMono, isInvalid }: RunPreviewStepProps) {
  return (
    <div className="flex items-start gap-2.5 py-[5px]">
      <span aria-hidden className={`mt-[3px] size-[11px] shrink-0 rounded-full ${dotColor}`} />
      <span className="min-w-0">
        <span
          dir="auto"
          className={mono ? 'block truncate font-mono text-[0.78125rem] font-medium' : 'block truncate font-semibold'}
        >
          {name}
        </span>
        <span
          className={classNames(
            'block text-small',
            isInvalid ? 'text-destructive' : 'truncate text-muted-foreground',
            noteMono && 'font-mono',
          )}
        >
          {note}
        </span>
      </span>
    </div>
  )
}

export interface BundleNode {
  /** Slug or id as written in the bundle. */
  name: string
  agent: Agent | undefined
  problem: 'unknown' | 'cycle' | 'too-deep' | undefined
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
      let problem: BundleNode['problem']
      if (ancestors.includes(slug)) problem = 'cycle'
      else if (!agent) problem = 'unknown'
      else if (innerBundle.length > 0 && ancestors.length >= toolLimits.depth) problem = 'too-deep'
      return { name, agent, problem, children: problem ? [] : buildChildren(innerBundle, [...ancestors, slug]) }
    })
  }
  return buildChildren(bundle, [rootAgent?.slug ?? rootSlug])
}

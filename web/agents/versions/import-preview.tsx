import { getProviderInfo } from '#contract/providers/registry.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { AgentSeal } from '../agent-seal.tsx'
import type { FileToImport } from './read-agent-file.ts'

export function ImportPreview({ file }: { file: FileToImport }) {
  const { agent, golden_questions } = file
  const agentClass = agent.agent_class ?? 'Standard'
  const provider = agent.model_provider ?? 'openai'
  const details: [string, string][] = [
    ['Scope', agent.context_scope ?? 'user_input'],
    ['Memory', agent.memory_enabled ? 'on' : 'off'],
    ['Model', `${provider} ${agent.model_settings?.model ?? agent.model ?? getProviderInfo(provider).settings.model}`],
    ['Tools', agent.tools?.join(', ') || 'none'],
    ...(agentClass === 'Coordinator'
      ? [['Bundle', agent.config?.bundle?.join(', ') || 'none'] satisfies [string, string]]
      : []),
    ['Visibility', agent.visibility ?? 'private'],
    ['Golden questions', String(golden_questions.length)],
  ]
  return (
    <section aria-label="Agent to import" className="rounded-lg border border-border bg-card p-4">
      <div className="flex items-start gap-3">
        <AgentSeal
          agent={{ name: agent.name, agent_class: agentClass, ...(agent.config && { config: agent.config }) }}
          size={42}
          className="shrink-0"
        />
        <div className="min-w-0">
          <h3 className="wrap-break-word">{agent.name}</h3>
          <Badge className="mt-[3px]">{agentClass}</Badge>
        </div>
      </div>
      <p className="mt-3 line-clamp-4 text-ui wrap-break-word">{agent.purpose}</p>
      <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-ui">
        {details.map(([label, value]) => (
          <div key={label} className="col-span-full grid grid-cols-subgrid">
            <dt className="text-muted-foreground">{label}</dt>
            <dd className="wrap-anywhere">{value || 'General'}</dd>
          </div>
        ))}
      </dl>
      {agent.visibility === 'public' && (
        <Banner tone="warning" className="mt-3">
          The agent will be public: everyone can see and run it.
          {agent.visitors_spend_owner_key && ' Visitors will use your own provider key.'}
        </Banner>
      )}
    </section>
  )
}

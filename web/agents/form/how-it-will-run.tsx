import { visibilities } from '#contract/agents/agent-words.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { useAgentList } from '../agent-queries.ts'
import { useAgentEditing, useAgentFields, useBox } from './agent-editor.tsx'

const whoSees = {
  private: 'Only the owner sees and runs it.',
  public: 'Everyone sees and runs it; only the owner edits it.',
  shared:
    'Permissions (Run, Edit, Share, Delete) are granted to people after creation, in the agent management interface.',
} as const

export function HowItWillRun() {
  const { readOnly } = useAgentEditing()
  const { watch, register } = useAgentFields()
  const { label: _label, ...visibility } = useBox('visibility')
  return (
    <Card padded={false} className="px-4 py-3.5">
      <div className="flex items-center justify-between">
        <h2 className="font-sans text-ui leading-5 font-semibold tracking-normal">How it will run</h2>
        <Badge tone="outlined">preview</Badge>
      </div>
      <Flow />
      <hr className="my-3 border-border" />
      <div className="flex flex-col gap-2.5">
        <Switch
          {...register('memory_enabled')}
          label="Enable Memory"
          disabled={readOnly}
          className="w-full flex-row-reverse justify-between"
        />
        <div className="flex items-center justify-between gap-3">
          <span aria-hidden className="text-ui">
            Visibility and Sharing
          </span>
          <SelectField
            {...visibility}
            label="Visibility"
            labelHidden
            disabled={readOnly}
            options={visibilities.map((value) => ({ value, label: value }))}
            className="w-28"
          />
        </div>
        <p aria-live="polite" className="text-small leading-[17px] text-muted-foreground">
          {whoSees[watch('visibility')]}
        </p>
      </div>
    </Card>
  )
}

/** The agent, and under a Coordinator the agents it may call. */
function Flow() {
  const { watch } = useAgentFields()
  const { data } = useAgentList()
  const [name, model, agentClass, bundle] = watch(['name', 'model', 'agent_class', 'bundle'])
  const isCoordinator = agentClass === 'Coordinator'
  const pigment = isCoordinator ? 'bg-chart3' : agentClass === 'Lead' ? 'bg-chart2' : 'bg-chart1'
  return (
    <ol className="mt-3 text-ui leading-[17px]">
      <Step pigment={pigment} name={name.trim() || 'New agent'} note={model} noteMono />
      {isCoordinator &&
        bundle.map((slug) => (
          <Step
            key={slug}
            pigment="bg-chart1"
            name={slug}
            mono
            nested
            note={data ? (data.agents.find((agent) => agent.slug === slug)?.purpose ?? 'No such agent') : ''}
          />
        ))}
    </ol>
  )
}

interface StepProps {
  pigment: string
  name: string
  note: string
  mono?: boolean
  noteMono?: boolean
  nested?: boolean
}

function Step({ pigment, name, note, mono, noteMono, nested }: StepProps) {
  return (
    <li
      className={
        nested
          ? "relative flex items-start gap-2.5 py-[5px] ps-[26px] before:absolute before:start-[5px] before:-top-[26px] before:h-[39px] before:w-[15px] before:rounded-es-sm before:border-s-[1.5px] before:border-b-[1.5px] before:border-input before:content-['']"
          : 'flex items-start gap-2.5 py-[5px]'
      }
    >
      <span aria-hidden className={`mt-[3px] size-[11px] shrink-0 rounded-full ${pigment}`} />
      <span className="min-w-0">
        <span className={mono ? 'block truncate font-mono text-[12.5px] font-medium' : 'block truncate font-semibold'}>
          {name}
        </span>
        <span
          className={
            noteMono
              ? 'block truncate font-mono text-small text-muted-foreground'
              : 'block truncate text-small text-muted-foreground'
          }
        >
          {note}
        </span>
      </span>
    </li>
  )
}

import { visibilities } from '#contract/agents/agent-constants.ts'
import type { Agent } from '#contract/agents/agents.ts'
import { cleanOneLine } from '#contract/one-line-text.ts'
import { Switch } from '#web/ui/controls/switch.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { useAgentEditing, useFieldProps } from './agent-editor.tsx'

const visibilityTexts = {
  private: 'Only the owner can see and run this agent.',
  public: 'Everyone can see and run this agent; only the owner can edit it.',
  shared: 'Permissions (Run, Edit, Share, Delete) are granted after creation in the agent management interface.',
} as const

const getVisitorText = (tagline: string) =>
  cleanOneLine(tagline) ? ' Visitors see the tagline.' : ' Visitors see the purpose, since there’s no tagline.'

function getSharingHint(agent: Agent | null): string {
  if (!agent) return ' Once the agent is created, choose people here.'
  return agent.visibility === 'shared' ? '' : ' Update the agent first, then choose people here.'
}

export function VisibilityFields() {
  const { agent, readOnly, isOwner, values, set } = useAgentEditing()
  return (
    <div className="flex max-w-[420px] flex-col gap-3">
      <SelectField
        {...useFieldProps('visibility')}
        required
        disabled={readOnly || !isOwner}
        options={visibilities.map((value) => ({ value, label: value }))}
        className="w-44"
      />
      <p aria-live="polite" className="text-small leading-[1.0625rem] text-muted-foreground">
        {visibilityTexts[values.visibility]}
        {values.visibility === 'shared' && getSharingHint(agent)}
        {values.visibility === 'public' &&
          values.tools.trim() !== '' &&
          ' Its tools are off when visitors chat with it.'}
        {values.visibility === 'public' && values.agent_class === 'Lead' && getVisitorText(values.tagline)}
        {!isOwner && !readOnly && ' Only its owner can change who sees it.'}
      </p>
      <Switch
        checked={values.memory_enabled}
        onCheckedChange={(memory_enabled) => set({ memory_enabled })}
        label="Enable Memory"
        disabled={readOnly}
      />
    </div>
  )
}

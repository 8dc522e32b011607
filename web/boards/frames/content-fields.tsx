import {
  codeLanguages,
  configurableEntities,
  type FrameContents,
  isFrameWithContent,
  readContent,
} from '#contract/boards/frame-content.ts'
import { useAgentList } from '#web/agents/agent-queries.ts'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { configuredNames, languageNames } from './content-names.ts'

type Content = Record<string, unknown>

interface ContentField {
  key: string
  label: string
  kind: 'line' | 'text' | 'choice' | 'select' | 'agent'
  maxLength?: number
  options?: { value: string; label: string }[]
  help?: (content: Content) => string | undefined
  isDisabled?: (content: Content) => boolean
  /** Other content that a change of this field resets. */
  dependentReset?: Content
}

const toOptions = (values: readonly string[], names: Record<string, string>) =>
  values.map((value) => ({ value, label: names[value] ?? value }))

const contentFields: Record<keyof FrameContents, ContentField[]> = {
  media_card: [
    { key: 'title', label: 'Title', kind: 'line', maxLength: 200 },
    {
      key: 'fit',
      label: 'Picture fit',
      kind: 'choice',
      options: [
        { value: 'cover', label: 'Fill the frame' },
        { value: 'contain', label: 'Fit the whole picture' },
      ],
    },
    { key: 'caption', label: 'Caption', kind: 'text', maxLength: 2000 },
    {
      key: 'alt',
      label: 'Alternative text',
      kind: 'text',
      maxLength: 1000,
      isDisabled: ({ mediaId }) => mediaId === null,
      help: ({ mediaId }) => (mediaId ? 'Describe the picture for people who can’t see it.' : 'Add a picture first.'),
    },
  ],
  dialog: [{ key: 'agentId', label: 'Agent', kind: 'agent', dependentReset: { sessionId: null } }],
  agent_preview: [
    { key: 'agentId', label: 'Agent', kind: 'agent', dependentReset: { runId: null } },
    { key: 'input', label: 'Input', kind: 'text', maxLength: 4000 },
  ],
  config_panel: [
    {
      key: 'entity',
      label: 'Settings for',
      kind: 'select',
      options: toOptions(configurableEntities, configuredNames),
      help: ({ entity }) => (entity === 'board' ? undefined : 'Choose the item in the frame.'),
      dependentReset: { entityId: null },
    },
  ],
  code_snippet: [
    { key: 'language', label: 'Language', kind: 'select', options: toOptions(codeLanguages, languageNames) },
  ],
  preview: [
    {
      key: 'kind',
      label: 'Content',
      kind: 'choice',
      options: [
        { value: 'entity', label: 'One of your items' },
        { value: 'page', label: 'A page' },
      ],
    },
  ],
  process_frame: [],
}

interface ContentFieldsProps {
  frameType: string
  content: Content
  onChange: (changes: Content) => void
}

export function ContentFields({ frameType, content: storedContent, onChange }: ContentFieldsProps) {
  if (!isFrameWithContent(frameType)) return null
  const fields = contentFields[frameType]
  const content: Content = { ...readContent(frameType, storedContent) }
  if (fields.length === 0) return <p className="text-small text-muted-foreground">Edit the steps in the frame.</p>
  const inputs = fields.map((field) => (
    <ContentInput key={field.key} field={field} content={content} onChange={onChange} />
  ))
  return fields.length === 1 ? inputs : <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">{inputs}</div>
}

interface ContentInputProps {
  field: ContentField
  content: Content
  onChange: (changes: Content) => void
}

function ContentInput({ field, content, onChange }: ContentInputProps) {
  const { key, label, kind, maxLength, options = [], dependentReset } = field
  const value = String(content[key] ?? '')
  const help = field.help?.(content)
  const change = (next: string | null) => onChange({ [key]: next, ...dependentReset })
  const sharedProps = { label, value, help, disabled: field.isDisabled?.(content) ?? false }
  switch (kind) {
    case 'line':
      return (
        <TextField {...sharedProps} maxLength={maxLength} onChange={(event) => change(event.currentTarget.value)} />
      )
    case 'text':
      return (
        <TextArea
          {...sharedProps}
          rows={2}
          maxLength={maxLength}
          truncates
          onChange={(event) => change(event.currentTarget.value)}
        />
      )
    case 'select':
      return <SelectField {...sharedProps} options={options} onChange={(event) => change(event.currentTarget.value)} />
    case 'agent':
      return <AgentField agentId={value || null} onChange={change} />
    case 'choice':
      return (
        <div className="flex flex-col gap-1.5">
          <span dir="auto" className="text-ui leading-[1.125rem] font-label">
            {label}
          </span>
          <SegmentedControl
            label={label}
            value={value}
            options={options}
            onValueChange={change}
            className="self-start"
          />
        </div>
      )
  }
}

function AgentField({ agentId, onChange }: { agentId: string | null; onChange: (agentId: string | null) => void }) {
  const { data, isPending } = useAgentList()
  const agents = data?.source === 'server' ? data.agents : undefined
  const failureText = agents ? undefined : 'Failed to load agents. Your choice is unchanged.'
  const help = isPending ? 'Loading...' : failureText
  const isListed = agents?.some(({ id }) => id === agentId)
  return (
    <SelectField
      label="Agent"
      value={agentId ?? ''}
      disabled={!agents}
      help={help}
      options={[
        { value: '', label: 'No agent' },
        ...(agents ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ...(agentId && !isListed
          ? [{ value: agentId, label: 'A deleted agent, or one that isn’t shared with you' }]
          : []),
      ]}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  )
}

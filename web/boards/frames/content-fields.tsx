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
import { configuredNames } from './config-names.ts'
import { languageNames } from './language-names.ts'

interface ContentFieldsProps {
  frameType: string
  content: Record<string, unknown>
  onChange: (changes: Record<string, unknown>) => void
}

interface FieldsProps<Type extends keyof FrameContents> {
  content: FrameContents[Type]
  onChange: (changes: Partial<FrameContents[Type]>) => void
}

export function ContentFields({ frameType, content, onChange }: ContentFieldsProps) {
  if (!isFrameWithContent(frameType)) return null
  switch (frameType) {
    case 'media_card':
      return <MediaFields content={readContent('media_card', content)} onChange={onChange} />
    case 'dialog':
      return (
        <AgentField
          agentId={readContent('dialog', content).agentId}
          onChange={(agentId) => onChange({ agentId, sessionId: null })}
        />
      )
    case 'agent_preview':
      return <AgentPreviewFields content={readContent('agent_preview', content)} onChange={onChange} />
    case 'config_panel':
      return <ConfigFields content={readContent('config_panel', content)} onChange={onChange} />
    case 'code_snippet':
      return <CodeFields content={readContent('code_snippet', content)} onChange={onChange} />
    case 'preview':
      return <PreviewFields content={readContent('preview', content)} onChange={onChange} />
    case 'process_frame':
      return <p className="text-small text-muted-foreground">Edit the steps in the frame.</p>
  }
}

function MediaFields({ content: { title, caption, alt, fit, mediaId }, onChange }: FieldsProps<'media_card'>) {
  return (
    <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
      <TextField
        label="Title"
        maxLength={200}
        value={title}
        onChange={(event) => onChange({ title: event.currentTarget.value })}
      />
      <div className="flex flex-col gap-1.5">
        <span className="text-ui leading-[18px] font-label">Picture fit</span>
        <SegmentedControl
          label="Picture fit"
          value={fit}
          options={[
            { value: 'cover', label: 'Fill the frame' },
            { value: 'contain', label: 'Fit the whole picture' },
          ]}
          onValueChange={(next) => onChange({ fit: next })}
        />
      </div>
      <TextArea
        label="Caption"
        rows={2}
        maxLength={2000}
        value={caption}
        onChange={(event) => onChange({ caption: event.currentTarget.value })}
      />
      <TextArea
        label="Alternative text"
        rows={2}
        maxLength={1000}
        value={alt}
        disabled={mediaId === null}
        help={mediaId ? 'Describe the picture for people who can’t see it.' : 'Add a picture first.'}
        onChange={(event) => onChange({ alt: event.currentTarget.value })}
      />
    </div>
  )
}

function AgentField({ agentId, onChange }: { agentId: string | null; onChange: (agentId: string | null) => void }) {
  const { data, isPending } = useAgentList()
  const agents = data?.from === 'server' ? data.agents : undefined
  const isListed = agents?.some(({ id }) => id === agentId)
  return (
    <SelectField
      label="Agent"
      value={agentId ?? ''}
      disabled={!agents}
      help={isPending ? 'Loading...' : agents ? undefined : 'Failed to load agents. Your choice is unchanged.'}
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

function AgentPreviewFields({ content: { agentId, input }, onChange }: FieldsProps<'agent_preview'>) {
  return (
    <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
      <AgentField agentId={agentId} onChange={(id) => onChange({ agentId: id, runId: null })} />
      <TextArea
        label="Input"
        rows={2}
        maxLength={4000}
        value={input}
        onChange={(event) => onChange({ input: event.currentTarget.value })}
      />
    </div>
  )
}

function ConfigFields({ content: { entity }, onChange }: FieldsProps<'config_panel'>) {
  return (
    <SelectField
      label="Settings for"
      value={entity}
      help={entity === 'board' ? undefined : 'Choose the item in the frame.'}
      options={configurableEntities.map((value) => ({ value, label: configuredNames[value] }))}
      onChange={(event) => {
        const next = configurableEntities.find((option) => option === event.currentTarget.value)
        if (next) onChange({ entity: next, entityId: null })
      }}
    />
  )
}

function CodeFields({ content: { language }, onChange }: FieldsProps<'code_snippet'>) {
  return (
    <SelectField
      label="Language"
      value={language}
      options={codeLanguages.map((value) => ({ value, label: languageNames[value] }))}
      onChange={(event) => {
        const next = codeLanguages.find((option) => option === event.currentTarget.value)
        if (next) onChange({ language: next })
      }}
    />
  )
}

function PreviewFields({ content: { kind }, onChange }: FieldsProps<'preview'>) {
  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-ui leading-[18px] font-label">Content</span>
      <SegmentedControl
        label="Content"
        value={kind}
        options={[
          { value: 'entity', label: 'One of your items' },
          { value: 'page', label: 'A page' },
        ]}
        onValueChange={(next) => onChange({ kind: next })}
        className="self-start"
      />
    </div>
  )
}

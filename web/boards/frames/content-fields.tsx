import {
  codeLanguages,
  configuredEntities,
  type FrameContents,
  hasOwnContent,
  readContent,
} from '#contract/boards/frame-content.ts'
import { useAgentList } from '#web/agents/agent-queries.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
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

/** What a frame of this type holds, as far as it is not rather changed in the frame itself. */
export function ContentFields({ frameType, content, onChange }: ContentFieldsProps) {
  if (!hasOwnContent(frameType)) return null
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
      return <p className="text-small text-muted-foreground">Its steps are changed in the frame.</p>
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
        <span className="text-ui leading-[18px] font-label">Picture</span>
        <SegmentedControl
          label="Picture"
          value={fit}
          options={[
            { value: 'cover', label: 'Fills the frame' },
            { value: 'contain', label: 'Shown whole' },
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
        help={mediaId ? 'What is to be seen, for who cannot see it.' : 'When there is a picture.'}
        onChange={(event) => onChange({ alt: event.currentTarget.value })}
      />
    </div>
  )
}

function AgentField({ agentId, onChange }: { agentId: string | null; onChange: (agentId: string | null) => void }) {
  const { data, isPending } = useAgentList()
  const agents = data?.from === 'server' ? data.agents : undefined
  const known = agents?.some(({ id }) => id === agentId)
  return (
    <SelectField
      label="Agent"
      value={agentId ?? ''}
      disabled={!agents}
      help={isPending ? 'Loading...' : agents ? undefined : 'Failed to load agents. The choice stays as it is.'}
      options={[
        { value: '', label: 'None chosen' },
        ...(agents ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ...(agentId && !known ? [{ value: agentId, label: 'One that is gone, or not shared with you' }] : []),
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
      label="What is set here"
      value={entity}
      help={entity === 'board' ? undefined : 'Which one is chosen in the frame.'}
      options={configuredEntities.map((value) => ({ value, label: configuredNames[value] }))}
      onChange={(event) => {
        const next = configuredEntities.find((each) => each === event.currentTarget.value)
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
        const next = codeLanguages.find((each) => each === event.currentTarget.value)
        if (next) onChange({ language: next })
      }}
    />
  )
}

function PreviewFields({ content: { kind }, onChange }: FieldsProps<'preview'>) {
  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-ui leading-[18px] font-label">What it shows</span>
      <SegmentedControl
        label="What it shows"
        value={kind}
        options={[
          { value: 'entity', label: 'A thing of yours' },
          { value: 'page', label: 'A page' },
        ]}
        onValueChange={(next) => onChange({ kind: next })}
        className="self-start"
      />
    </div>
  )
}

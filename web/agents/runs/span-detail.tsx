import { useState } from 'react'
import type { RunDetail, RunSpan } from '#contract/agents/runs.ts'
import { Badge } from '#web/ui/badge.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { AudioOutput, audioIn } from './audio-output.tsx'
import { parsedOutput } from './log-words.ts'

type TabId = 'input' | 'output' | 'memory' | 'raw'

/** What went into one step and what came out of it. */
export function SpanDetail({ span, run }: { span: RunSpan; run: RunDetail }) {
  const [tab, setTab] = useState<TabId>('output')
  const isRoot = span.parent_id === null
  const memory = run.spans.filter(
    (each) => each.kind === 'memory' && (isRoot || each === span || each.parent_id === span.id),
  )
  const output = outputOf(span, run)
  const audio = audioIn(output)
  return (
    <section aria-label={span.name} className="border-t border-border px-[18px] pt-3.5 pb-4">
      <div className="mb-2.5 flex flex-wrap items-center gap-2">
        <h3 className="font-sans text-ui leading-5 font-semibold tracking-normal">{span.name}</h3>
        <Badge tone="outlined" mono={span.kind === 'model'}>
          {span.kind === 'model' ? run.model : span.kind}
        </Badge>
        {span.failure && <Badge tone={span.failure === 'stopped' ? 'neutral' : 'destructive'}>{span.failure}</Badge>}
        {span.usage && (
          <span className="ms-auto text-small text-muted-foreground tabular-nums">
            in {span.usage.input_tokens.toLocaleString('en-US')}, out {span.usage.output_tokens.toLocaleString('en-US')}
          </span>
        )}
      </div>
      <Tabs
        label={`Step ${span.name}`}
        tabs={[
          { id: 'input', label: 'Input' },
          { id: 'output', label: 'Output' },
          { id: 'memory', label: 'Memory used', count: memory.length || undefined },
          { id: 'raw', label: 'Raw' },
        ]}
        value={tab}
        onValueChange={setTab}
      >
        {tab === 'input' && <Value label="Input" value={inputOf(span, run)} none="Nothing went into this step." />}
        {tab === 'output' && audio && <AudioOutput audio={audio} />}
        {tab === 'output' && <Value label="Output" value={output} none="Nothing came out of this step." />}
        {tab === 'memory' && <Memory spans={memory} />}
        {tab === 'raw' && <CodeBlock label="Raw step" value={span} wraps />}
      </Tabs>
    </section>
  )
}

/** The run's own input and output, where its first step does not repeat them. */
function inputOf(span: RunSpan, run: RunDetail): unknown {
  return isNothing(span.input) && span.parent_id === null ? run.input : span.input
}
function outputOf(span: RunSpan, run: RunDetail): unknown {
  if (!isNothing(span.output) || span.parent_id !== null) return span.output
  return run.output === null ? null : parsedOutput(run.output)
}

function Value({ label, value, none }: { label: string; value: unknown; none: string }) {
  if (isNothing(value)) return <p className="text-ui text-muted-foreground">{none}</p>
  return <CodeBlock label={label} value={value} wraps />
}

function Memory({ spans }: { spans: RunSpan[] }) {
  if (spans.length === 0) return <p className="text-ui text-muted-foreground">This step used no memory.</p>
  return (
    <div className="flex flex-col gap-3">
      {spans.map((span) => (
        <div key={span.id}>
          <h4 className="mb-1 font-mono text-code">{span.name}</h4>
          <Value label={`Memory from ${span.name}`} value={span.output} none="Nothing was found." />
        </div>
      ))}
    </div>
  )
}

const isNothing = (value: unknown) => value === null || value === undefined || value === ''

import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type ToolDescription, tools } from '#contract/agents/tools.ts'
import { createTextFilter } from '#contract/search/search-query.ts'
import { call } from '#web/api/api.ts'
import { controlClasses, controlHeight, Field } from '#web/ui/fields/field.tsx'
import { Popover } from '#web/ui/overlays/popover.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { useAgentEditing, useFieldProps } from './agent-editor.tsx'
import { parseNames } from './name-list.ts'
import { ListSource, useRefreshableList } from './provider-lists.tsx'
import { SuggestionList, useSuggestions } from './suggest-field.tsx'
import { groupToolsBySource, toolsKey, useTools } from './use-tools.ts'

export function ToolsField({ className }: { className?: string | undefined }) {
  const { set } = useAgentEditing()
  const { value, label, error, onChange, onBlur } = useFieldProps('tools')
  const inputRef = useRef<HTMLInputElement>(null)
  const [caret, setCaret] = useState(0)
  const { data } = useTools()
  const allTools = data?.tools ?? []
  const { typed } = getListItemAt(value, caret)
  const chosenTools = parseNames(value)
  const query = typed.toLowerCase()
  const getNameRank = (tool: ToolDescription) => (tool.name.includes(query) ? 0 : 1)
  const isMatch = createTextFilter(typed)
  const suggestions = useSuggestions({
    options: allTools
      .filter((tool) => tool.name === typed || !chosenTools.includes(tool.name))
      .filter((tool) => isMatch(tool.name, tool.description, tool.source))
      .toSorted((tool, otherTool) => getNameRank(tool) - getNameRank(otherTool))
      .map((tool) => ({ value: tool.name, note: getNote(tool), badges: <ToolBadges tool={tool} /> })),
    onPick: pickTool,
    onBlur,
  })

  function pickTool(tool: string) {
    const next = replaceListItem(value, caret, tool)
    flushSync(() => set({ tools: next.text }))
    inputRef.current?.setSelectionRange(next.caret, next.caret)
    setCaret(next.caret)
  }

  function addTool(tool: string) {
    set({ tools: [...chosenTools, tool].join(', ') })
  }

  return (
    <Field
      label={label}
      error={error}
      help="Comma-separated"
      aside={<ToolsPopover chosenTools={chosenTools} onAdd={addTool} />}
      className={className}
    >
      {(control) => (
        <div className="relative">
          <input
            {...control}
            {...suggestions.inputProps}
            ref={inputRef}
            value={value}
            onChange={(event) => {
              setCaret(event.currentTarget.selectionStart ?? 0)
              onChange(event)
            }}
            onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
            className={`${controlClasses} ${controlHeight} font-mono text-ui`}
          />
          <SuggestionList suggestions={suggestions} label={label} />
        </div>
      )}
    </Field>
  )
}

const getNote = ({ description }: ToolDescription) => description.split(/(?<=\.)\s/)[0] ?? description

function ToolBadges({ tool }: { tool: ToolDescription }) {
  return (
    <>
      <ApprovalBadge tool={tool} />
      {tool.source !== 'keeper' && <Badge tone="outlined">{tool.source}</Badge>}
    </>
  )
}

function ApprovalBadge({ tool }: { tool: ToolDescription }) {
  if (tool.writes) return <Badge tone="warning">makes changes, asks first</Badge>
  return tool.sends && <Badge tone="warning">can send data, asks first if it has read a keeper</Badge>
}

interface ToolChoiceProps {
  chosenTools: readonly string[]
  onAdd: (tool: string) => void
}

function ToolsPopover(toolChoice: ToolChoiceProps) {
  return (
    <Popover
      label="Available tools"
      align="end"
      className="max-h-[70dvh] w-[26rem] max-w-[calc(100vw-32px)]! overflow-y-auto"
      trigger={
        <button type="button" className="rounded-xs px-1 underline underline-offset-2 hover:text-foreground">
          Browse tools
        </button>
      }
    >
      <ToolList {...toolChoice} />
    </Popover>
  )
}

/** Lists tools, and names tool servers that didn't respond. */
function ToolList({ chosenTools, onAdd }: ToolChoiceProps) {
  const query = useTools()
  const { data, error, isPending } = query
  const { refresh, refreshing, problem } = useRefreshableList(query, toolsKey, () =>
    call(tools.list, { query: { fresh: 'true' } }),
  )
  if (isPending) return <SkeletonRows label="Loading the tools" count={2} rowClassName="h-4 w-2/3" />
  if (!data) return <p className="text-destructive">The list of tools couldn’t be loaded: {error.message}</p>
  const serverCount = new Set(data.tools.map(({ source }) => source)).size - 1
  return (
    <div className="flex flex-col gap-3 text-ui">
      <ListSource
        getText={() => (serverCount > 0 ? `From Keeper and ${pluralize(serverCount, 'tool server')}` : 'From Keeper')}
        loading={false}
        problem={problem}
        listName="tools"
        onRefresh={refresh}
        refreshing={refreshing}
      />
      {groupToolsBySource(data.tools).map(([source, sourceTools]) => (
        <section key={source} aria-label={source}>
          <h3 className="mb-1 font-sans text-small font-semibold tracking-normal">
            {source === 'keeper' ? 'Built-in tools' : `From ${source}`}
          </h3>
          <dl className="flex flex-col gap-1.5">
            {sourceTools.map((tool) => (
              <div key={tool.name}>
                <dt className="flex flex-wrap items-center gap-2 font-mono text-code">
                  {chosenTools.includes(tool.name) ? (
                    <span>{tool.name} (chosen)</span>
                  ) : (
                    <button
                      type="button"
                      aria-label={`Add ${tool.name}`}
                      onClick={() => onAdd(tool.name)}
                      className="min-h-6 rounded-xs underline underline-offset-2 hover:text-primary"
                    >
                      {tool.name}
                    </button>
                  )}
                  <ApprovalBadge tool={tool} />
                </dt>
                <dd className="text-small text-muted-foreground">{tool.description}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      {data.unreachable.map(({ server, tool, reason }) => (
        <p key={`${server} ${tool}`} className="text-small wrap-anywhere">
          <span className="font-semibold">
            {tool === null ? `The server ${server} didn’t respond.` : `The tool ${tool} of ${server} can’t be used.`}
          </span>{' '}
          {reason}
        </p>
      ))}
    </div>
  )
}

/** The item at the caret in a comma-separated list: its range, and its text up to the caret. */
export function getListItemAt(text: string, caret: number): { typed: string; from: number; to: number } {
  const from = text.lastIndexOf(',', caret - 1) + 1
  const nextComma = text.indexOf(',', caret)
  return { typed: text.slice(from, caret).trim(), from, to: nextComma < 0 ? text.length : nextComma }
}

/** Replaces the item at the caret with `name`, and adds a comma after it. */
export function replaceListItem(text: string, caret: number, name: string): { text: string; caret: number } {
  const { from, to } = getListItemAt(text, caret)
  const textBefore = text.slice(0, from) + (from === 0 ? '' : ' ') + name
  const textAfter = text.slice(to).replace(/^,\s*/, '')
  return { text: `${textBefore}, ${textAfter}`, caret: textBefore.length + 2 }
}

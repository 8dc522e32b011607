const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']

/**
 * Drops unusable annotations from a list of tools, as JSON or as an event stream: the MCP client refuses the whole list
 * for one of them. A dropped hint counts as not declared.
 */
export function repairHints(response: Response): Response {
  if (!response.body) return response
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false
  const pending: string[] = []
  const lines = new TransformStream<string, string>({
    transform(chunk, controller) {
      const end = isStream ? chunk.lastIndexOf('\n') : -1
      if (end !== -1) {
        const complete = pending.splice(0).join('') + chunk.slice(0, end)
        controller.enqueue(`${complete.split('\n').map(repairLine).join('\n')}\n`)
      }
      pending.push(chunk.slice(end + 1))
    },
    flush(controller) {
      const rest = pending.join('')
      controller.enqueue(isStream ? repairLine(rest) : repairMessage(rest))
    },
  })
  const body = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(lines)
    .pipeThrough(new TextEncoderStream())
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}

function repairLine(line: string): string {
  const [, prefix, json] = /^(data:\s*)(.*)$/s.exec(line) ?? []
  return prefix && json ? prefix + repairMessage(json) : line
}

function repairMessage(json: string): string {
  if (!json.includes('"annotations"')) return json
  let message: { result?: { tools?: unknown } } | null
  try {
    message = JSON.parse(json)
  } catch {
    // The client says what is wrong with it.
    return json
  }
  const tools = message?.result?.tools
  if (!Array.isArray(tools)) return json
  for (const tool of tools as ({ annotations?: unknown } | null)[]) {
    const annotations = tool?.annotations as Record<string, unknown> | null | undefined
    if (!tool || annotations === undefined) continue
    if (annotations === null || typeof annotations !== 'object' || Array.isArray(annotations)) delete tool.annotations
    else {
      for (const hint of hints) if (typeof annotations[hint] !== 'boolean') delete annotations[hint]
      if (typeof annotations.title !== 'string') delete annotations.title
    }
  }
  return JSON.stringify(message)
}

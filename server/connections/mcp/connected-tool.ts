import * as z from 'zod/mini'
import type { ConnectionScope } from '#contract/connections/scopes.ts'
import { defineArguments } from '#server/agents/tools/arguments.ts'
import type { Services } from '#server/services.ts'
import type { ConnectedPerson } from '../consent.ts'

export interface ConnectedCall {
  services: Services
  person: ConnectedPerson
}

/** A tool for connected programs. Its result is sent as JSON text and as structured content. */
export interface ConnectedTool {
  name: string
  scope: ConnectionScope
  description: Record<string, unknown>
  run(call: ConnectedCall, args: unknown): Promise<Record<string, unknown>>
}

interface ConnectedToolDefinition<Input extends z.ZodMiniType, Output extends z.ZodMiniType> {
  name: string
  title: string
  description: string
  scope: ConnectionScope
  input: Input
  output: Output
  /** `false` for a tool that proposes something to the person. */
  isReadOnly: boolean
  run(call: ConnectedCall, args: z.output<Input>): Promise<z.input<Output> & Record<string, unknown>>
}

export function defineConnectedTool<Input extends z.ZodMiniType, Output extends z.ZodMiniType>({
  name,
  title,
  description,
  scope,
  input,
  output,
  isReadOnly,
  run,
}: ConnectedToolDefinition<Input, Output>): ConnectedTool {
  const { parameters, parse } = defineArguments(input)
  return {
    name,
    scope,
    description: {
      name,
      title,
      description,
      inputSchema: parameters,
      outputSchema: defineArguments(output).parameters,
      annotations: {
        title,
        readOnlyHint: isReadOnly,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    run: (call, args) => run(call, parse(args ?? {}) as z.output<Input>),
  }
}

export const dayArgument = z.iso.date('Give a day as 2026-03-31.')

export const asOfArgument = z.optional(
  dayArgument.check(z.describe('Only what was written and approved by the end of this day, as it was then.')),
)

/** Says in the answer that it isn't today's memory. */
export const createDayNote = (day: string | undefined) =>
  day === undefined ? {} : { note: `As of ${day}: only what was written and approved by then.` }

import * as z from 'zod/mini'
import type { Tool } from './tool.ts'

const maxIssues = 20

export function defineArguments<Schema extends z.ZodMiniType>(schema: Schema): Pick<Tool, 'parameters' | 'parse'> {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema) as Record<string, unknown>
  return {
    parameters,
    parse: (args) => parseArguments(schema, args),
  }
}

/** @throws Error that tells the model each field and its problem */
export function parseArguments<Schema extends z.ZodMiniType>(schema: Schema, args: unknown): z.output<Schema> {
  const parsed = schema.safeParse(args)
  if (parsed.success) return parsed.data
  const issueTexts = parsed.error.issues
    .slice(0, maxIssues)
    .map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`)
  throw new Error(issueTexts.join(' '))
}

export function defineTextArgument(description: string, maxLength: number) {
  return z
    .string('This must be text.')
    .check(
      z.trim(),
      z.minLength(1, 'This can’t be empty.'),
      z.maxLength(maxLength, `Use at most ${maxLength.toLocaleString('en-US')} characters.`),
      z.describe(description),
    )
}

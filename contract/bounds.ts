import * as z from 'zod/mini'

// A list needs no helper: with `z.maxLength` as first check, zod refuses a long list before reading its items.

interface BoundedRecordDef extends z.core.$ZodRecordDef {
  maxKeys: number
  message: string
}

const baseRecord: { init(schema: z.ZodMiniRecord, def: BoundedRecordDef): void } = z.ZodMiniRecord

const BoundedRecord = z.core.$constructor<z.ZodMiniRecord, BoundedRecordDef>('BoundedRecord', (schema, def) => {
  baseRecord.init(schema, def)
  const parse = schema._zod.parse
  schema._zod.parse = (payload, context) => {
    const { value } = payload
    if (typeof value !== 'object' || value === null || Object.keys(value).length <= def.maxKeys)
      return parse(payload, context)
    payload.issues.push({ code: 'custom', message: def.message, input: value, inst: schema, continue: false })
    return payload
  }
})

/** Refuses more than `maxKeys` keys before reading the first one. */
export function boundedRecord<Key extends z.core.$ZodRecordKey, Value extends z.ZodMiniType>(
  keyType: Key,
  valueType: Value,
  maxKeys: number,
  message = `Use at most ${maxKeys.toLocaleString('en-US')} keys.`,
): z.ZodMiniRecord<Key, Value> {
  const def: BoundedRecordDef = { type: 'record', keyType, valueType, maxKeys, message }
  return new BoundedRecord(def) as z.ZodMiniRecord<Key, Value>
}

export function maxJsonLength(max: number) {
  return z.refine((value: unknown) => JSON.stringify(value).length <= max, {
    error: `Use at most ${max.toLocaleString('en-US')} characters in all.`,
    params: { maxJsonLength: max },
  })
}

/** The address of a server that a person chose. */
export const httpAddress = z
  .string()
  .check(
    z.trim(),
    z.maxLength(2000, 'Use an address of at most 2,000 characters.'),
    z.regex(/^https?:\/\/\S+$/, 'Use an address starting with https:// or http://.'),
  )

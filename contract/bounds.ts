import * as z from 'zod/mini'

// A list needs no helper: `z.maxLength` as its first check refuses a long one before zod reads an item.

interface BoundedRecordDef extends z.core.$ZodRecordDef {
  maxKeys: number
  message: string
}

const record: { init(schema: z.ZodMiniRecord, def: BoundedRecordDef): void } = z.ZodMiniRecord

const BoundedRecord = z.core.$constructor<z.ZodMiniRecord, BoundedRecordDef>('BoundedRecord', (schema, def) => {
  record.init(schema, def)
  const parse = schema._zod.parse
  schema._zod.parse = (payload, context) => {
    const { value } = payload
    if (typeof value !== 'object' || value === null || Object.keys(value).length <= def.maxKeys)
      return parse(payload, context)
    payload.issues.push({ code: 'custom', message: def.message, input: value, inst: schema, continue: false })
    return payload
  }
})

/** A record that refuses more than `maxKeys` keys before it reads one. */
export function boundedRecord<Key extends z.core.$ZodRecordKey, Value extends z.ZodMiniType>(
  keyType: Key,
  valueType: Value,
  maxKeys: number,
  message = `Use at most ${maxKeys.toLocaleString('en-US')} names.`,
): z.ZodMiniRecord<Key, Value> {
  const def: BoundedRecordDef = { type: 'record', keyType, valueType, maxKeys, message }
  return new BoundedRecord(def) as z.ZodMiniRecord<Key, Value>
}

/** Bounds an object whose fields are not all known, by its characters as JSON. */
export function maxJsonLength(max: number) {
  return z.refine((value: unknown) => JSON.stringify(value).length <= max, {
    error: `Use at most ${max.toLocaleString('en-US')} characters in all.`,
    params: { maxJsonLength: max },
  })
}

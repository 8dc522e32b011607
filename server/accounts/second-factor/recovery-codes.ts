import { hash, randomInt } from 'node:crypto'
import { recoveryCodeCount } from '#contract/accounts/second-factor.ts'
import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'

/** Without characters that look alike; ten of these have 50 bits. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'
const codeLength = 10

function createCode(): string {
  const text = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${text.slice(0, codeLength / 2)}-${text.slice(codeLength / 2)}`
}

const hashRecoveryCode = (personId: string, code: string) => hash('sha256', `${personId} ${code}`, 'base64url')

/** New codes and the writes that replace the old ones. Codes are random enough for a fast hash. */
export function createRecoveryCodes({ db }: Services, personId: string): { codes: string[]; writes: Write[] } {
  const codes = Array.from({ length: recoveryCodeCount }, createCode)
  const rows = codes.map((code) => ({
    person_id: personId,
    code_hash: hashRecoveryCode(personId, normalizeRecoveryCode(code)),
  }))
  return {
    codes,
    writes: [
      db.deleteFrom('recovery_codes').where('person_id', '=', personId),
      db.insertInto('recovery_codes').values(rows),
    ],
  }
}

/** As typed from paper: in upper or lower case, with or without separators. */
export const normalizeRecoveryCode = (code: string): string => code.toLowerCase().replace(/[\s-]/g, '')

/** Consumes a code. Returns false for an unknown or used one, also for the second of two concurrent uses. */
export async function redeemRecoveryCode({ db }: Services, personId: string, code: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('person_id', '=', personId)
    .where('code_hash', '=', hashRecoveryCode(personId, normalizeRecoveryCode(code)))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function countRecoveryCodes({ db }: Services, personId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('person_id', '=', personId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

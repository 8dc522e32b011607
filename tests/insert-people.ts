import type { Schema } from '#server/db/schema.ts'
import type { TestApp } from './test-app.ts'

type NewPerson = { id: string } & Partial<
  Pick<Schema['people'], 'email' | 'name' | 'last_sign_in_at' | 'deactivated_at'>
>

/** Inserts people who never signed in directly into the table. */
export async function insertPeople({ services }: TestApp, people: readonly NewPerson[]): Promise<void> {
  const columns = { nickname: null, password_hash: 'x', preferred_theme_id: null, created_at: 1 }
  const defaults = { name: null, last_sign_in_at: null, deactivated_at: null }
  await services.db
    .insertInto('people')
    .values(
      people.map(({ id, email = `${id}@elsewhere.example`, ...overrides }) => ({
        id,
        email,
        email_folded: email.toLowerCase(),
        ...columns,
        ...defaults,
        ...overrides,
      })),
    )
    .execute()
}

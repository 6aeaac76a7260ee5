import * as z from 'zod';
import { message } from './message.js';
import { Person } from './person.js';

/** Params of `nexo/admin/people/list`. */
export const PeopleListParams = message({});
export type PeopleListParams = z.infer<typeof PeopleListParams>;

export const PeopleListResult = message({ people: z.array(Person) });
export type PeopleListResult = z.infer<typeof PeopleListResult>;

// What a caller may give where a schema describes the resolved form: a default makes a field optional, an instant may
// come in any form. Types only.
import type { Static, TArray, TObject, TOptional, TProperties, TRecord, TSchema, TUnion } from "typebox";

/** Every form of an instant that a caller may give. */
export type InstantInput =
  | string
  | bigint
  | Date
  | { readonly us: number | bigint }
  | { readonly epochNanoseconds: bigint };

type MayBeLeftOut<P extends TProperties> = {
  [K in keyof P]: P[K] extends { default: unknown } ? K : P[K] extends TOptional<TSchema> ? K : never;
}[keyof P];

type ObjectInput<P extends TProperties> = {
  readonly [K in Exclude<keyof P, MayBeLeftOut<P>>]: InputOf<P[K]>;
} & {
  readonly [K in MayBeLeftOut<P>]?: InputOf<P[K]> | undefined;
};

/** What a caller may give where a resolved argument has this schema. */
export type InputOf<S extends TSchema> = S extends { readonly kind: "instant" | "pin" }
  ? InstantInput
  : S extends { readonly kind: "instant_open" }
    ? InstantInput | null
    : S extends TUnion<infer Members>
      ? InputOf<Members[number]>
      : S extends TArray<infer Item>
        ? readonly InputOf<Item>[]
        : S extends TObject<infer P>
          ? ObjectInput<P>
          : S extends TRecord
            ? Readonly<Record<string, unknown>>
            : Static<S>;

// Expressions without their leaves: AND, OR and NOT, predicates, arithmetic, signs, members.
// Flat rules, few levels: precedence is made from lists, since every level of rules costs at every name.
import type { IToken } from "chevrotain";
import type { Binary, BinaryOperator, Expr, Index, IsTest, Logical } from "../ast.js";
import { badNumber } from "../errors/scan-faults.js";
import { joined, placeOf, type Workshop } from "./table.js";

const LARGEST_INTEGER = 2n ** 63n - 1n;

const OPERATORS: Readonly<Record<string, BinaryOperator>> = {
  "+": "+",
  "-": "-",
  "*": "*",
  "/": "/",
  "%": "%",
  "||": "||",
  "=": "=",
  "<>": "<>",
  "!=": "<>",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
};

const binary = (op: BinaryOperator, left: Expr, right: Expr): Binary => ({
  kind: "binary",
  op,
  left,
  right,
  at: joined(left.at, right.at),
});

/** One kind of operators after the other, each from left to right. */
function fold(operands: readonly Expr[], operators: readonly BinaryOperator[]): Expr {
  let sum: Expr | null = null;
  let pending: BinaryOperator = "+";
  let product = operands[0]!;
  for (const [i, op] of operators.entries()) {
    const next = operands[i + 1]!;
    if (op === "*" || op === "/" || op === "%") product = binary(op, product, next);
    else {
      sum = sum === null ? product : binary(pending, sum, product);
      pending = op;
      product = next;
    }
  }
  return sum === null ? product : binary(pending, sum, product);
}

/** `a AND (b AND c)` is one conjunction of three. */
function logical(op: "and" | "or", operands: readonly Expr[]): Expr {
  if (operands.length === 1) return operands[0]!;
  const of = operands.flatMap((part) => (part.kind === "logical" && part.op === op ? part.of : [part]));
  return { kind: "logical", op, of, at: joined(operands[0]!.at, operands.at(-1)!.at) } satisfies Logical;
}

export function defineExpressions({ p, r, mark, word, Integer, anyName, text, choice, memory, ...w }: Workshop): void {
  const takes = (names: readonly (keyof typeof mark)[]) => names.map((name) => ({ ALT: () => p.take(mark[name]) }));
  const signs = takes(["Minus", "Plus"]);
  const arithmetic = takes(["Plus", "Minus", "Concat", "Star", "Slash", "Percent"]);
  const comparisons = takes(["Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual"]);
  const connectives = [{ ALT: () => p.take(word.AND) }, { ALT: () => p.take(word.OR) }];

  const condition = (idx: number): Expr => {
    let nots: IToken[] | null = null;
    p.many(idx, () => {
      const token = p.take(word.NOT);
      nots ??= [];
      nots.push(token);
    });
    const of = p.sub(predicate);
    return nots === null ? of : p.act(() => negated(nots!, of));
  };
  const negated = (nots: readonly IToken[], innermost: Expr): Expr =>
    nots.reduceRight<Expr>(
      (of, token) => ({ kind: "unary", op: "not", of, at: joined(placeOf(token), of.at) }),
      innermost,
    );

  r.expr = p.rule("expr", () => {
    p.guard();
    const first = condition(0);
    let more: { readonly op: IToken; readonly operand: Expr }[] | null = null;
    p.many(1, () => {
      const op = p.or(1, connectives);
      more ??= [];
      more.push({ op, operand: condition(2) });
    });
    return more === null ? first : p.act(() => disjunction(first, more!));
  });
  const disjunction = (first: Expr, more: readonly { readonly op: IToken; readonly operand: Expr }[]): Expr => {
    const alternatives: Expr[][] = [[first]];
    for (const { op, operand } of more) {
      if (op.tokenType === word.OR) alternatives.push([operand]);
      else alternatives.at(-1)!.push(operand);
    }
    return logical(
      "or",
      alternatives.map((parts) => logical("and", parts)),
    );
  };

  const comparison = (of: Expr): Expr => {
    const op = OPERATORS[p.or(1, comparisons).image]!;
    return binary(op, of, p.sub(r.additive));
  };
  const isTest = (of: Expr): Expr => {
    p.take(word.IS);
    const not = p.has(2, word.NOT);
    const what = p.or<IsTest["what"]>(4, [
      choice(word.NULL, "null"),
      choice(word.TRUE, "true"),
      choice(word.FALSE, "false"),
      {
        ALT: () => {
          p.take(word.DISTINCT);
          p.take(word.FROM);
          return { distinctFrom: p.sub(r.additive) };
        },
      },
    ]);
    return { kind: "is", of, not, what, at: p.upTo(of.at) };
  };
  const inTest = (of: Expr, not: boolean): Expr => {
    p.take(word.IN);
    const right = p.sub(r.additive);
    const items = right === memory.parenthesised ? [right] : right.kind === "row" ? right.of : null;
    const at = p.upTo(of.at);
    return { kind: "in", of, not, in: items === null ? right : { kind: "list", of: items, at: right.at! }, at };
  };
  const betweenTest = (of: Expr, not: boolean): Expr => {
    p.take(word.BETWEEN);
    const from = p.sub(r.additive);
    p.take(word.AND);
    const to = p.sub(r.additive);
    return { kind: "between", of, not, from, to, at: p.upTo(of.at) };
  };
  const likeTest = (of: Expr, not: boolean): Expr => {
    const caseless = p.or(5, [choice(word.LIKE, false), choice(word.ILIKE, true)]);
    const pattern = p.sub(r.additive);
    const escapedBy = p.option(3, () => {
      p.take(word.ESCAPE);
      return w.string();
    });
    return { kind: "like", of, not, caseless, pattern, escape: escapedBy ?? null, at: p.upTo(of.at) };
  };
  const immediately = {
    ALT: () => {
      p.take(word.IMMEDIATELY);
      return p.or<BinaryOperator>(6, [
        choice(word.PRECEDES, "immediately_precedes"),
        choice(word.SUCCEEDS, "immediately_succeeds"),
      ]);
    },
  };
  const edgeOfText = (first: typeof word.STARTS, op: BinaryOperator) => ({
    ALT: () => {
      p.take(first);
      p.take(word.WITH);
      return op;
    },
  });
  const periodWords = [
    choice(word.OVERLAPS, "overlaps"),
    choice(word.CONTAINS, "contains"),
    choice(word.EQUALS, "equals"),
    choice(word.PRECEDES, "precedes"),
    choice(word.SUCCEEDS, "succeeds"),
    immediately,
    edgeOfText(word.STARTS, "starts_with"),
    edgeOfText(word.ENDS, "ends_with"),
  ];
  const periodTest = (of: Expr, not: boolean): Expr => {
    const op = p.or<BinaryOperator>(3, periodWords);
    const test = binary(op, of, p.sub(r.additive));
    return not ? { kind: "unary", op: "not", of: test, at: test.at! } : test;
  };
  const wordTest = (of: Expr): Expr => {
    const not = p.has(1, word.NOT);
    return p.or<Expr>(2, [
      { ALT: () => inTest(of, not) },
      { ALT: () => betweenTest(of, not) },
      { ALT: () => likeTest(of, not) },
      { ALT: () => periodTest(of, not) },
    ]);
  };
  const predicate = p.rule("predicate", (): Expr => {
    const of = p.sub(r.additive);
    const test = p.option(0, () =>
      p.or<Expr>(0, [{ ALT: () => comparison(of) }, { ALT: () => isTest(of) }, { ALT: () => wordTest(of) }]),
    );
    return test ?? of;
  });

  r.additive = p.rule("additive", (): Expr => {
    const first = p.sub(operand);
    let operands: Expr[] | null = null;
    let operators: BinaryOperator[] | null = null;
    p.many(0, () => {
      const op = OPERATORS[p.or(0, arithmetic).image]!;
      operands ??= [first];
      operators ??= [];
      operators.push(op);
      operands.push(p.sub(operand));
    });
    return operands === null ? first : p.act(() => fold(operands!, operators!));
  });

  r.point = p.rule("point", () => p.sub(r.additive));

  const index = (of: Expr): Expr => {
    p.take(mark.LeftBracket);
    const inside = p.or<Index["index"]>(3, [
      {
        ALT: () => {
          const token = p.take(Integer);
          return { kind: "integer", value: token.payload as bigint, at: placeOf(token) };
        },
      },
      choice(mark.Star, "*"),
      { ALT: text },
    ]);
    p.take(mark.RightBracket);
    return { kind: "index", of, index: inside, at: p.upTo(of.at) };
  };
  const member = (of: Expr): Expr => {
    p.take(mark.Dot);
    const name = anyName("property");
    return { kind: "member", of, name, at: joined(of.at, name.at) };
  };
  const operand = p.rule("operand", (): Expr => {
    let written: IToken[] | null = null;
    p.many(0, () => {
      const sign = p.or(0, signs);
      written ??= [];
      written.push(sign);
    });
    const token = p.next();
    let value = p.sub(r.primary);
    if (value.kind === "integer" && value.value > LARGEST_INTEGER) value = smallest(written, token);
    p.many(1, () => {
      const of = value;
      value = p.or<Expr>(1, [{ ALT: () => member(of) }, { ALT: () => index(of) }]);
    });
    return written === null ? value : p.act(() => signed(written!, value));
  });
  /** 9223372036854775808 is no integer, but its negative is one: that sign belongs to the number. */
  const smallest = (written: IToken[] | null, token: IToken): Expr => {
    const sign = written?.pop();
    if (sign === undefined || sign.tokenType !== mark.Minus) return p.refuse(token, badNumber(token.image));
    return { kind: "integer", value: -LARGEST_INTEGER - 1n, at: joined(placeOf(sign), placeOf(token)) };
  };
  const signed = (written: readonly IToken[], innermost: Expr): Expr =>
    written.reduceRight<Expr>(
      (of, sign) => ({
        kind: "unary",
        op: sign.tokenType === mark.Minus ? "-" : "+",
        of,
        at: joined(placeOf(sign), of.at),
      }),
      innermost,
    );
}

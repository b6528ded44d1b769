import { isReadable } from "../core/uri";
import { AddressLink } from "./AddressLink";
import "./frontmatter.css";

// What stands before a text, as a list of names and values.
export function Frontmatter({ fields, except = [] }: { fields: Record<string, unknown>; except?: string[] }) {
  const entries = Object.entries(fields).filter(([name]) => !except.includes(name));
  if (entries.length === 0) return null;
  return (
    <dl class="frontmatter">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value }: { value: unknown }) {
  if (Array.isArray(value) && value.every((item) => typeof item !== "object"))
    return (
      <ul class="chips">
        {value.map((item) => (
          <li key={String(item)}>
            <Value value={item} />
          </li>
        ))}
      </ul>
    );
  if (typeof value === "string" && isReadable(value)) return <AddressLink uri={value}>{value}</AddressLink>;
  if (typeof value === "object" && value !== null) return <code>{JSON.stringify(value)}</code>;
  return <>{String(value ?? "")}</>;
}

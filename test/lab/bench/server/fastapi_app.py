"""The same endpoint as a FastAPI service: typed model, bearer key, a chosen sentence. No archive, no log, no rate count."""

import json
import socket
from typing import Any, Literal, Optional

import uvicorn
from fastapi import FastAPI, Header, HTTPException
from pydantic import BaseModel, Field


class PetProfile(BaseModel):
    name: str = Field(min_length=1)
    species: Literal["dog", "cat"]


class Period(BaseModel):
    startDate: str
    endDate: str
    timezone: str
    isCompleted: bool
    elapsedNights: Optional[int] = None
    validNights: Optional[int] = None


class Comparison(BaseModel):
    usualLower: Optional[float] = None
    usualUpper: Optional[float] = None
    changePercent: Optional[float] = None
    consecutiveUnusualDays: Optional[int] = None
    unusualLowDays: Optional[int] = None
    unusualHighDays: Optional[int] = None
    restRatingFactors: Optional[list[str]] = None
    pageEvaluationBasis: Optional[str] = None


class InsightContext(BaseModel):
    mode: Literal["today_so_far", "last_night", "selected_window"]
    asOf: str
    observedThrough: Optional[str] = None
    factVersion: str
    sourceSnapshot: Optional[dict[str, Any]] = None
    baselineProgress: Optional[dict[str, Any]] = None
    comparison: Optional[Comparison] = None


class SuppliedJudgment(BaseModel):
    ruleVersion: str
    rating: Optional[str]
    direction: Optional[int]
    baselineSource: Optional[str]
    deteriorating: Optional[bool] = None
    ratedNights: Optional[int] = None
    judgedDays: Optional[int] = None
    unusualDays: Optional[int] = None
    lowRestDays: Optional[int] = None


class Payload(BaseModel):
    schemaVersion: Literal["health-detail-v3"]
    userId: str = Field(max_length=128)
    petId: str = Field(max_length=128)
    metric: Literal["activity", "rest", "hr", "hrv", "rr", "bark"]
    viewWindow: Literal["day", "week", "month"]
    locale: Optional[Literal["zh-CN", "en-US", "es"]] = "en-US"
    petProfile: PetProfile
    period: Period
    insightContext: InsightContext
    suppliedJudgment: Optional[SuppliedJudgment] = None
    metrics: dict[str, Any]
    previousPeriod: None = None


class Generation(BaseModel):
    ruleId: str
    ruleVersion: str
    generatedAt: str
    aiPolished: bool


class Answer(BaseModel):
    insightId: str
    petId: str
    metric: str
    viewWindow: str
    period: Period
    status: str
    severity: str
    summary: str
    generation: Generation


app = FastAPI()


@app.post("/v1/health-detail-insights/generate")
async def generate(payload: Payload, authorization: str = Header()) -> Answer:
    if not authorization.startswith("Bearer "):
        raise HTTPException(401)
    return Answer(
        insightId="hdi_1",
        petId=payload.petId,
        metric=payload.metric,
        viewWindow=payload.viewWindow,
        period=payload.period,
        status="observation",
        severity="none",
        summary=f"On that day, {payload.petProfile.name} was active for 3 h 30 min, within its usual range.",
        generation=Generation(ruleId="R", ruleVersion="1", generatedAt="2026-10-12T00:00:00Z", aiPolished=False),
    )


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
print(json.dumps({"port": listener.getsockname()[1]}), flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="critical", access_log=False)).run(sockets=[listener])
